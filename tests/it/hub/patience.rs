//! A hub that is busy, slow or silent, for a while or for good.

use super::server::{Hub, Manners};
use super::{check_weights, files, get, message, quietly};
use std::io::Write as _;
use std::net::TcpListener;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokenscope::engine::LoadError;
use tokenscope::engine::hub::{HubActivity, HubConfig, Patience, fetch};
use tokenscope::words::Words;

const MS: Duration = Duration::from_millis(1);

fn started() -> (Hub, TempDir) {
    (Hub::start(&files()), tempfile::tempdir().unwrap())
}

#[test]
fn a_busy_hub_is_asked_again() {
    for status in [429, 500, 502, 503, 504] {
        for method in ["HEAD", "GET"] {
            let (hub, cache) = started();
            hub.behave(Manners { busy: vec![(method, status, "retry-after: 0"); 3], ..Manners::default() });
            check_weights(&get(&hub, &cache).unwrap());
            let n_asked = hub.log().iter().filter(|request| request.path.ends_with("/config.json")).count();
            assert_eq!(n_asked, 2 + 3, "{method} {status}");
        }
    }
}

#[test]
fn a_hub_that_stays_busy_is_given_up() {
    let (hub, cache) = started();
    hub.behave(Manners { busy: vec![("HEAD", 503, "x: y"); 100], ..Manners::default() });
    let told = message(&get(&hub, &cache).unwrap_err());
    assert!(told.contains("did not give config.json (status 503"), "{told}");
    assert_eq!(hub.log().len(), 5, "once, and again after each of four pauses");
    hub.behave(Manners { busy: vec![("GET", 502, "x: y"); 100], ..Manners::default() });
    let told = message(&get(&hub, &cache).unwrap_err());
    assert!(told.contains("config.json stopped after 0 bytes (status 502"), "{told}");
    assert_eq!(hub.n_given("config.json"), 5);
}

#[test]
fn a_pause_that_the_hub_asks_for_is_told_and_can_be_left_at_once() {
    let (hub, cache) = started();
    hub.behave(Manners { busy: vec![("HEAD", 429, "retry-after: 100")], ..Manners::default() });
    let (mut n_told, mut cancelled) = (0, None);
    let result = fetch("owner/name", &hub.config(&cache), &mut |progress| {
        let HubActivity::Waiting { secs, reason } = &progress.activity else { return ControlFlow::Continue(()) };
        assert!((98..=100).contains(secs), "{secs}");
        let reason = Words::ENGLISH.render(reason);
        assert!(reason.contains("429") && reason.contains("100 s"), "{reason}");
        n_told += 1;
        cancelled = (n_told == 3).then(Instant::now);
        if n_told == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(matches!(result, Err(LoadError::Cancelled)), "{result:?}");
    assert!(cancelled.unwrap().elapsed() < Duration::from_millis(500));
}

#[test]
fn a_pause_that_is_too_long_is_told_and_not_waited_for() {
    let (hub, cache) = started();
    hub.behave(Manners { busy: vec![("HEAD", 429, "retry-after: 3600")], ..Manners::default() });
    let asked = Instant::now();
    let told = message(&get(&hub, &cache).unwrap_err());
    assert!(told.contains("429") && told.contains("wait 3600 s"), "{told}");
    assert!(asked.elapsed() < Duration::from_secs(2));
}

fn hasty(hub: &Hub, cache: &TempDir) -> HubConfig {
    let patience = Patience { pauses: vec![MS; 2], window: 50 * MS, least_bytes: 1000, ..Patience::default() };
    HubConfig { patience, ..hub.config(cache) }
}

#[test]
fn a_drip_is_as_good_as_a_break() {
    let (hub, cache) = started();
    hub.behave(Manners { drips: 2, ..Manners::default() });
    check_weights(&fetch("owner/name", &hasty(&hub, &cache), &mut quietly).unwrap());
    let ranges = hub.ranges();
    assert!(ranges.len() == 3 && ranges[2].is_some(), "what arrived is kept: {ranges:?}");
}

#[test]
fn a_drip_without_end_is_given_up() {
    let (hub, cache) = started();
    hub.behave(Manners { drips: usize::MAX, ..Manners::default() });
    let asked = Instant::now();
    let told = message(&fetch("owner/name", &hasty(&hub, &cache), &mut quietly).unwrap_err());
    assert!(told.contains("hardly anything arrived"), "{told}");
    assert_eq!(hub.ranges().len(), 3);
    assert!(asked.elapsed() < Duration::from_secs(3));
}

#[test]
fn an_answer_that_never_begins_is_given_up() {
    let (listener, cache) = (TcpListener::bind("127.0.0.1:0").unwrap(), tempfile::tempdir().unwrap());
    let endpoint = Some(format!("http://{}", listener.local_addr().unwrap()));
    let drip = move || {
        // Each for a second, which is longer than it is waited for.
        for stream in listener.incoming().take(2) {
            let mut stream = stream.unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\nx: ").unwrap();
            let drip = move || {
                (0..100).all(|_| {
                    std::thread::sleep(10 * MS);
                    stream.write_all(b"x").is_ok()
                })
            };
            std::thread::Builder::new().name("drip".to_owned()).spawn(drip).unwrap();
        }
    };
    std::thread::Builder::new().name("hub".to_owned()).spawn(drip).unwrap();
    let patience = Patience { pauses: vec![MS], answer: 100 * MS, ..Patience::default() };
    let config = HubConfig { endpoint, cache_dir: Some(cache.path().to_owned()), token: Some(String::new()), patience };
    let asked = Instant::now();
    let told = message(&fetch("owner/name", &config, &mut quietly).unwrap_err());
    assert!(told.contains("cannot be reached") && told.contains("timeout"), "{told}");
    assert!(asked.elapsed() < Duration::from_millis(900), "{:?}", asked.elapsed());
}
