//! What is said where the hub refuses, and to whom.

use super::server::{Hub, Manners};
use super::{files, message, quietly};
use std::process::Command;
use tokenscope::engine::hub::{HubConfig, fetch};

#[test]
fn refusals_say_what_to_do() {
    let (hub, cache) = (Hub::start(&files()), tempfile::tempdir().unwrap());
    let with_token = hub.config(&cache);
    let without = HubConfig { token: Some(String::new()), ..with_token.clone() };
    let no_member = "Access to the model is restricted and you are not in the authorized list.";
    let cases = [
        (&with_token, (404, "RepoNotFound", ""), "check the spelling"),
        (&with_token, (401, "RepoNotFound", ""), "check the spelling"),
        (&without, (401, "", ""), "check the spelling"),
        (&without, (401, "RepoNotFound", ""), "check the spelling"),
        (&with_token, (401, "", "Invalid credentials in Authorization header"), "does not accept your token"),
        (&with_token, (401, "", "Invalid username or password."), "does not accept your token"),
        (&with_token, (401, "", ""), "does not accept your token"),
        (&without, (401, "GatedRepo", ""), "gated: ask for access on its page on the hub, then set"),
        (&without, (403, "", ""), "ask for access"),
        (&with_token, (403, "GatedRepo", no_member), "you are not in the authorized list.): for a gated model, ask"),
        (&with_token, (403, "", "Please enable access to gated repositories."), "(Please enable access"),
        (&with_token, (403, "", ""), "the hub knows your token, but it may not read this model (status 403"),
        (&with_token, (404, "RevisionNotFound", ""), "no such revision"),
        (&with_token, (404, "", ""), "check the spelling"),
        (&with_token, (429, "", ""), "less often"),
        (&with_token, (503, "", ""), "503"),
        (&with_token, (418, "", ""), "418"),
    ];
    for (config, status, expected) in cases {
        hub.behave(Manners { status: Some(status), ..Manners::default() });
        let message = message(&fetch("owner/name", config, &mut quietly).unwrap_err());
        assert!(message.contains(expected) && message.ends_with(": owner/name"), "{status:?}: {message}");
        assert!(!message.contains("secret") && !message.contains("internet"), "{message}");
    }
    let malformed = message(&fetch("name", &with_token, &mut quietly).unwrap_err());
    assert!(malformed.contains("owner/name"), "{malformed}");
}

#[test]
fn an_explanation_without_end_is_cut() {
    let (hub, cache) = (Hub::start(&files()), tempfile::tempdir().unwrap());
    hub.behave(Manners { status: Some((403, "", "because ".repeat(1000).leak())), ..Manners::default() });
    let message = message(&fetch("owner/name", &hub.config(&cache), &mut quietly).unwrap_err());
    assert!(message.contains("because because") && message.len() < 600, "{message}");
}

#[test]
fn a_token_that_no_header_can_carry_is_told_as_such() {
    let (hub, cache) = (Hub::start(&files()), tempfile::tempdir().unwrap());
    for token in ["two\nlines", "two words", "tokén", "\u{7f}"] {
        let config = HubConfig { token: Some(token.to_owned()), ..hub.config(&cache) };
        let message = message(&fetch("owner/name", &config, &mut quietly).unwrap_err());
        assert!(message.contains("your token has a character") && message.contains("HF_TOKEN"), "{message}");
        assert!(!message.contains(token));
    }
    assert!(hub.log().is_empty());
}

/// The token with which a program that is started with these variables asks the hub.
#[cfg(unix)]
fn token_sent(hub: &Hub, home: &std::path::Path, variables: &[(&str, &std::path::Path)]) -> Option<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tokenscope"));
    command.args(["trace", "--model", "owner/name", "x"]).env("HF_ENDPOINT", hub.endpoint()).env("HF_HOME", home);
    for other in ["HF_TOKEN", "HF_TOKEN_PATH", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HUB_DISABLE_IMPLICIT_TOKEN"]
    {
        command.env_remove(other);
    }
    hub.behave(Manners { status: Some((404, "RepoNotFound", "")), ..Manners::default() });
    assert!(!command.envs(variables.iter().copied()).output().unwrap().status.success());
    hub.log()[0].token.clone()
}

#[cfg(unix)]
#[test]
fn a_token_is_read_from_a_regular_file_up_to_a_limit() {
    let (hub, home) = (Hub::start(&files()), tempfile::tempdir().unwrap());
    let file = home.path().join("elsewhere");
    std::fs::write(&file, "abc\n").unwrap();
    let by_path = [("HF_TOKEN_PATH", file.as_path())];
    assert_eq!(token_sent(&hub, home.path(), &by_path).as_deref(), Some("Bearer abc"));
    std::fs::write(home.path().join("token"), "home").unwrap();
    assert_eq!(token_sent(&hub, home.path(), &[]).as_deref(), Some("Bearer home"));
    let endless = [("HF_TOKEN_PATH", std::path::Path::new("/dev/zero"))];
    assert_eq!(token_sent(&hub, home.path(), &endless).as_deref(), Some("Bearer home"));
    std::fs::write(&file, "x".repeat(10_000)).unwrap();
    assert_eq!(token_sent(&hub, home.path(), &by_path).as_deref(), Some("Bearer home"));
    std::fs::remove_file(home.path().join("token")).unwrap();
    assert!(Command::new("mkfifo").arg(home.path().join("token")).status().unwrap().success());
    assert_eq!(token_sent(&hub, home.path(), &[]), None);
}
