//! The lessons that come with the program.

use super::{Glossary, Lesson, parse};
use std::sync::{Arc, LazyLock};

/// Files in the order of the list.
pub(super) const FILES: [(&str, &str); 13] = [
    ("01-press-send.md", include_str!("../../../lessons/en/01-press-send.md")),
    ("02-tokens.md", include_str!("../../../lessons/en/02-tokens.md")),
    ("06-logits-and-softmax.md", include_str!("../../../lessons/en/06-logits-and-softmax.md")),
    ("07-greedy.md", include_str!("../../../lessons/en/07-greedy.md")),
    ("08-temperature.md", include_str!("../../../lessons/en/08-temperature.md")),
    ("09-top-k.md", include_str!("../../../lessons/en/09-top-k.md")),
    ("10-top-p.md", include_str!("../../../lessons/en/10-top-p.md")),
    ("11-the-draw.md", include_str!("../../../lessons/en/11-the-draw.md")),
    ("12-no-way-back.md", include_str!("../../../lessons/en/12-no-way-back.md")),
    ("14-kv-memory.md", include_str!("../../../lessons/en/14-kv-memory.md")),
    ("15-context-window.md", include_str!("../../../lessons/en/15-context-window.md")),
    ("16-prefill-and-decode.md", include_str!("../../../lessons/en/16-prefill-and-decode.md")),
    ("22-back-to-text.md", include_str!("../../../lessons/en/22-back-to-text.md")),
];

static GLOSSARY: LazyLock<Glossary> =
    LazyLock::new(|| Glossary::parse(include_str!("../../../lessons/en/glossary.md")));

static LESSONS: LazyLock<Vec<Arc<Lesson>>> = LazyLock::new(|| {
    // What is wrong with one the tests say; a lesson that cannot be read is not in the list.
    FILES.iter().filter_map(|(_, text)| parse(text, &GLOSSARY).0.map(Arc::new)).collect()
});

/// All lessons in their order.
pub fn lessons() -> &'static [Arc<Lesson>] {
    &LESSONS
}

/// The files of the lessons: name and text.
pub fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.into_iter()
}

/// The field's terms.
pub fn glossary() -> &'static Glossary {
    &GLOSSARY
}
