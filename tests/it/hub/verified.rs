//! What is in the cache is what the hub gave.

use super::server::{COMMIT, Hub, Manners, WEIGHTS, git_hash, sha256};
use super::{CONFIG, N_WEIGHT_BYTES, check_weights, files, get, in_cache, incomplete, message, quietly, weights};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use tokenscope::engine::LoadError;
use tokenscope::engine::hub::{HubActivity, HubConfig, fetch};

fn started() -> (Hub, TempDir) {
    (Hub::start(&files()), tempfile::tempdir().unwrap())
}

fn blob(cache: &TempDir, name: &str) -> PathBuf {
    let content = files().into_iter().find(|(file, _)| *file == name).unwrap().1;
    in_cache(cache, &format!("blobs/{}", if name == WEIGHTS { sha256(&content) } else { git_hash(&content) }))
}

/// Replaces the content of a blob, as something else than a download does.
fn change(cache: &TempDir, name: &str, content: &[u8]) {
    let blob = blob(cache, name);
    std::fs::write(&blob, content).unwrap();
    // In case that all of this takes no time.
    std::fs::File::options()
        .write(true)
        .open(&blob)
        .unwrap()
        .set_modified(SystemTime::now() + Duration::from_secs(9))
        .unwrap();
}

/// The files that were read to check them.
fn checked(config: &HubConfig) -> Vec<String> {
    let mut checked = Vec::new();
    let mut look = |progress: &tokenscope::engine::hub::HubProgress| {
        if matches!(progress.activity, HubActivity::Checking { .. }) {
            checked.push(progress.file.clone());
        }
        ControlFlow::Continue(())
    };
    check_weights(&fetch("owner/name", config, &mut look).unwrap());
    checked.dedup();
    checked
}

#[test]
fn every_file_that_arrives_damaged_is_fetched_again() {
    for (name, content) in files() {
        let (hub, cache) = started();
        hub.behave(Manners { lies: vec![name], ..Manners::default() });
        let folder = get(&hub, &cache).unwrap();
        check_weights(&folder);
        assert!(std::fs::read(folder.join(name)).unwrap() == content, "{name}");
        assert_eq!(hub.n_given(name), 2, "{name}");
    }
}

#[test]
fn what_arrives_damaged_twice_is_told_and_not_kept() {
    for (name, _) in files() {
        let (hub, cache) = started();
        hub.behave(Manners { lies: vec![name; 2], ..Manners::default() });
        let message = message(&get(&hub, &cache).unwrap_err());
        assert!(message.contains(&format!("{name} was damaged on its way, twice")), "{message}");
        assert!(!blob(&cache, name).exists() && !incomplete(&cache).exists(), "{name}");
        check_weights(&get(&hub, &cache).unwrap());
    }
}

#[test]
fn a_wrong_beginning_does_not_fail_for_ever() {
    let (hub, cache) = started();
    std::fs::create_dir_all(in_cache(&cache, "blobs")).unwrap();
    std::fs::write(incomplete(&cache), vec![7; 1000]).unwrap();
    check_weights(&get(&hub, &cache).unwrap());
    assert_eq!(hub.ranges(), [Some("bytes=1000-".to_owned()), None]);
}

#[test]
fn content_that_is_there_is_not_trusted_for_its_size() {
    let (hub, cache) = started();
    std::fs::create_dir_all(in_cache(&cache, "blobs")).unwrap();
    std::fs::write(blob(&cache, WEIGHTS), vec![7; N_WEIGHT_BYTES]).unwrap();
    std::fs::write(blob(&cache, "config.json"), CONFIG).unwrap();
    check_weights(&get(&hub, &cache).unwrap());
    assert_eq!(hub.n_given("config.json"), 0, "it is as it should be");
}

#[test]
fn a_file_of_the_cache_that_has_changed_is_fetched_again() {
    let (hub, cache) = started();
    let folder = get(&hub, &cache).unwrap();
    let mut flipped = weights();
    flipped[N_WEIGHT_BYTES / 2] ^= 1;
    let longer = [weights(), vec![0]].concat();
    let changes: [(&str, &[u8]); 5] = [
        (WEIGHTS, &flipped),
        (WEIGHTS, &longer[..1000]),
        (WEIGHTS, &longer),
        ("config.json", b"{}"),
        ("tokenizer.json", b"{}"),
    ];
    for (name, content) in changes {
        change(&cache, name, content);
        hub.log();
        assert_eq!(get(&hub, &cache).unwrap(), folder);
        check_weights(&folder);
        assert_eq!(hub.n_given(name), 1, "{name} of {} bytes", content.len());
        assert_eq!(get(&hub, &cache).unwrap(), folder);
        assert!(hub.log().is_empty());
    }
}

#[test]
fn where_it_cannot_be_fetched_again_the_change_is_told() {
    let (hub, cache) = started();
    let folder = get(&hub, &cache).unwrap();
    change(&cache, WEIGHTS, &vec![1; N_WEIGHT_BYTES]);
    let unreachable = HubConfig { endpoint: Some("http://127.0.0.1:9".to_owned()), ..hub.config(&cache) };
    for _ in 0..2 {
        let message = message(&fetch("owner/name", &unreachable, &mut quietly).unwrap_err());
        assert!(message.contains("model.safetensors in the local cache is not what the hub gave"), "{message}");
        assert!(message.contains("cannot be reached") && message.ends_with(": owner/name"), "{message}");
    }
    let cancelled = fetch("owner/name", &hub.config(&cache), &mut |_| ControlFlow::Break(()));
    assert!(matches!(cancelled, Err(LoadError::Cancelled)), "{cancelled:?}");
    // The hub has let that commit go, but has the model.
    hub.behave(Manners { forgetful: true, ..Manners::default() });
    assert_eq!(get(&hub, &cache).unwrap(), folder);
    check_weights(&folder);
}

#[test]
fn what_was_verified_is_not_read_again_until_it_changes() {
    let (hub, cache) = started();
    let config = hub.config(&cache);
    get(&hub, &cache).unwrap();
    assert_eq!(checked(&config), [""; 0]);
    // As another program leaves it.
    std::fs::remove_dir_all(in_cache(&cache, ".verified")).unwrap();
    drop(hub);
    assert_eq!(checked(&config), ["config.json", "tokenizer.json", "tokenizer_config.json", WEIGHTS]);
    assert_eq!(checked(&config), [""; 0]);
    change(&cache, WEIGHTS, &weights());
    assert_eq!(checked(&config), [WEIGHTS]);
    assert_eq!(checked(&config), [""; 0]);
}

#[test]
fn files_without_the_name_of_a_hash_are_taken_as_they_are() {
    let (hub, cache) = started();
    let folder = get(&hub, &cache).unwrap();
    let config = hub.config(&cache);
    drop(hub);
    std::fs::remove_file(folder.join("config.json")).unwrap();
    std::fs::write(folder.join("config.json"), CONFIG).unwrap();
    assert_eq!(checked(&config), [""; 0]);
}

#[cfg(unix)]
#[test]
fn what_never_ends_is_not_read_from_the_cache_nor_written_to() {
    let (hub, cache) = started();
    let lock = format!(".locks/models--owner--name/{}.lock", sha256(&weights()));
    let places = [
        in_cache(&cache, "refs/main"),
        in_cache(&cache, &format!(".no_exist/{COMMIT}/generation_config.json")),
        in_cache(&cache, &format!(".verified/{}", git_hash(CONFIG))),
        blob(&cache, "config.json"),
        incomplete(&cache),
        cache.path().join(lock),
    ];
    let done = std::sync::mpsc::sync_channel(1);
    let config = hub.config(&cache);
    for (idx, place) in places.iter().enumerate() {
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        if idx == 0 {
            std::os::unix::fs::symlink("/dev/zero", place).unwrap();
        } else {
            assert!(std::process::Command::new("mkfifo").arg(place).status().unwrap().success());
        }
    }
    let fetching = move || drop(done.0.send(fetch("owner/name", &config, &mut quietly)));
    std::thread::Builder::new().name("fetching".to_owned()).spawn(fetching).unwrap();
    let folder = done.1.recv_timeout(Duration::from_secs(10)).expect("it waits for a pipe").unwrap();
    check_weights(&folder);
    assert_eq!(std::fs::read_to_string(&places[0]).unwrap(), COMMIT);
    assert!(places[1..4].iter().all(|place| place.is_file()));
}
