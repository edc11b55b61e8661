//! Sessions, links and a lesson that earlier versions made: they open, and say what they said.
//! `tests/before/README.md` says what each is.

use super::cli::stdout_of;
use serde_json::{Value, json};
use tokenscope::export::Link;

const FOLDER: &str = "tests/before";

#[test]
fn sessions_are_shown_as_they_were() {
    for name in ["plain", "stages", "mirostat", "branches"] {
        let session = format!("{FOLDER}/{name}.tokenscope");
        for (format, ending) in [("text", "txt"), ("json", "json"), ("csv", "csv")] {
            let before = std::fs::read_to_string(format!("{FOLDER}/{name}.{ending}")).unwrap();
            let now = stdout_of(&["show", &session, "--format", format]);
            // What later versions say besides stands on a line of its own.
            let now: String = now.split_inclusive('\n').filter(|line| !line.starts_with("\"limits\":")).collect();
            assert!(now == before, "{name}.{ending} was\n{before}\nand is\n{now}");
        }
    }
}

#[test]
fn links_mean_what_they_meant() {
    let links: Value = serde_json::from_str(&std::fs::read_to_string(format!("{FOLDER}/links.json")).unwrap()).unwrap();
    for before in links.as_array().unwrap() {
        let link: Link = before["link"].as_str().unwrap().parse().unwrap();
        let now = json!({
            "link": link.to_string(), "prompt": link.prompt, "stages": link.settings.text(), "seed": link.settings.seed,
            "max_new_tokens": link.max_new_tokens, "overflow": link.overflow.key(), "model": link.model,
        });
        assert_eq!(&now, before);
    }
}

#[test]
fn a_lesson_can_be_taken_as_before() {
    let lesson = format!("{FOLDER}/lesson.md");
    assert_eq!(stdout_of(&["lessons", "check", &lesson]), format!("{lesson}: 9 scenes, all well\n"));
}
