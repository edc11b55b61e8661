//! Inputs that are too long for the corpus.

/// Those of a parser.
pub fn inputs(name: &str) -> Vec<Vec<u8>> {
    const N: usize = 50_000;
    let lesson = include_str!("corpus/lesson/before.md");
    let body = |part: &str| format!("{lesson}\n{}", part.repeat(N));
    let head = |part: &dyn Fn(usize) -> String| {
        let parts: Vec<String> = (0..N).map(part).collect();
        lesson.replacen("\n+++\n", &format!("\n{}+++\n", parts.concat()), 1)
    };
    let texts = match name {
        "lesson" => vec![
            body("# a\n"),
            body("## a\n"),
            body("[a](point:no)\n"),
            body("*a **b\n"),
            body("{{ a }}\n"),
            head(&|n| format!("[[scene]]\nid=\"{n}\"\npoint=[\"nowhere{n}\"]\n")),
        ],
        "link" => vec![format!("tokenscope:?prompt={}", "%20".repeat(1 << 20))],
        "config" => vec![format!("{{\"model_type\":\"{}\"}}", "x".repeat(10 << 20))],
        _ => Vec::new(),
    };
    texts.into_iter().map(String::into_bytes).collect()
}
