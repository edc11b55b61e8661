//! How long a download waits for a hub that is busy, slow or silent, and when it gives up.

use crate::message::{Message, msg};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use ureq::Body;
use ureq::http::header::RETRY_AFTER;
use ureq::http::{Response, StatusCode};

/// How long a download waits, and when it gives up.
#[derive(Clone, Debug)]
pub struct Patience {
    /// The pauses before a request is made again; after the last one it is given up.
    pub pauses: Vec<Duration>,
    /// The longest that the pauses of one request may take together, also where the hub asks for longer ones.
    pub longest: Duration,
    /// How long the head of an answer may take.
    pub answer: Duration,
    /// How long content may take to bring [`least_bytes`](Self::least_bytes).
    pub window: Duration,
    /// Less than this within a window is as good as nothing.
    pub least_bytes: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            pauses: [500, 2_000, 8_000, 20_000].map(Duration::from_millis).to_vec(),
            longest: Duration::from_mins(5),
            answer: Duration::from_secs(30),
            window: Duration::from_secs(30),
            least_bytes: 32 << 10,
        }
    }
}

/// Why there is no answer or no more content, though there may be if one asks again.
pub(super) struct Setback {
    pub(super) reason: Message,
    /// The pause that the hub asks for.
    asked: Option<Duration>,
}

impl Setback {
    pub(super) fn new(reason: Message) -> Self {
        Self { reason, asked: None }
    }

    /// That of an answer whose status says: not now.
    pub(super) fn of(response: &Response<Body>) -> Option<Self> {
        let status = response.status();
        if status != StatusCode::TOO_MANY_REQUESTS && !status.is_server_error() {
            return None;
        }
        let asked = response.headers().get(RETRY_AFTER).and_then(|wanted| wanted.to_str().ok());
        let asked = asked.and_then(|wanted| pause_until(wanted, SystemTime::now()));
        let reason = match asked {
            Some(pause) => msg!("error-hub-asks-to-wait", status = status.to_string(), n = whole_secs(pause)),
            None if status == StatusCode::TOO_MANY_REQUESTS => msg!("error-hub-too-often"),
            None => msg!("error-hub-status", status = status.to_string()),
        };
        Some(Self { reason, asked })
    }
}

/// Counts the pauses of one request.
pub(super) struct Retries {
    pauses: std::vec::IntoIter<Duration>,
    /// What is left of [`Patience::longest`].
    left: Duration,
}

impl Retries {
    pub(super) fn new(patience: &Patience) -> Self {
        Self { pauses: patience.pauses.clone().into_iter(), left: patience.longest }
    }

    /// The pause before the next try; `None` where it is time to give up.
    pub(super) fn pause(&mut self, after: &Setback) -> Option<Duration> {
        let pause = self.pauses.next()?.max(after.asked.unwrap_or_default());
        self.left = self.left.checked_sub(pause)?;
        Some(pause)
    }
}

/// Notices content that arrives so slowly that it would never be there.
pub(super) struct Pace {
    window: Duration,
    least_bytes: u64,
    n_bytes: u64,
    ends: Instant,
}

impl Pace {
    pub(super) fn new(patience: &Patience) -> Self {
        let Patience { window, least_bytes, .. } = *patience;
        Self { window, least_bytes, n_bytes: 0, ends: Instant::now() + window }
    }

    /// Whether so many bytes more are too few.
    pub(super) fn is_too_slow(&mut self, n_bytes: u64) -> bool {
        self.n_bytes += n_bytes;
        if Instant::now() < self.ends {
            return false;
        }
        let n_bytes = std::mem::take(&mut self.n_bytes);
        self.ends = Instant::now() + self.window;
        n_bytes < self.least_bytes
    }

    pub(super) fn setback(&self) -> Setback {
        Setback::new(msg!("error-hub-slow", n = whole_secs(self.window)))
    }
}

/// Seconds for people, who wait until the last one is over.
pub(super) fn whole_secs(time: Duration) -> u64 {
    time.as_millis().div_ceil(1000) as u64
}

/// The pause that the header Retry-After asks for, in seconds or as a date.
fn pause_until(wanted: &str, now: SystemTime) -> Option<Duration> {
    let wanted = wanted.trim();
    if let Ok(secs) = wanted.parse() {
        return Some(Duration::from_secs(secs));
    }
    let date = UNIX_EPOCH + Duration::from_secs(unix_secs(wanted)?);
    Some(date.duration_since(now).unwrap_or_default())
}

/// The seconds from 1970 to a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that may still be sent.
fn unix_secs(date: &str) -> Option<u64> {
    let parts: Vec<&str> = date.split_whitespace().collect();
    let [_weekday, day, month, year, time, "GMT"] = parts[..] else { return None };
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = names.iter().position(|name| *name == month)? as u64;
    let within = |text: &str, range: std::ops::RangeInclusive<u64>| text.parse().ok().filter(|n| range.contains(n));
    let (day, year) = (within(day, 1..=31)?, within(year, 1970..=9999)?);
    let time: Vec<&str> = time.split(':').collect();
    let [hours, minutes, secs] = time[..] else { return None };
    let secs = (within(hours, 0..=23)? * 60 + within(minutes, 0..=59)?) * 60 + within(secs, 0..=60)?;
    // Years that begin in March have their leap day at their end.
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    let days_before_1970 = 719_468;
    Some((days - days_before_1970) * 86_400 + secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_asked_for_in_seconds_or_by_a_date() {
        let now = UNIX_EPOCH + Duration::from_secs(784_111_777);
        let pause = |wanted| pause_until(wanted, now).map(|pause| pause.as_secs());
        assert_eq!(pause("120"), Some(120));
        assert_eq!(pause("Sun, 06 Nov 1994 08:49:37 GMT"), Some(0));
        assert_eq!(pause("Sun, 06 Nov 1994 08:50:07 GMT"), Some(30));
        assert_eq!(pause("Mon, 01 Jan 1990 00:00:00 GMT"), Some(0), "it is over");
        for other in
            ["", "-1", "soon", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 36 Nov 1994 08:49:37 GMT", "1 2 3 4 5 GMT"]
        {
            assert_eq!(pause(other), None, "{other}");
        }
        assert_eq!(unix_secs("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(unix_secs("Thu, 29 Feb 2024 12:00:00 GMT"), Some(1_709_208_000));
        assert_eq!(unix_secs("Fri, 31 Dec 9999 23:59:59 GMT"), Some(253_402_300_799));
    }

    #[test]
    fn pauses_are_bounded_in_number_and_in_all() {
        let [ms, second] = [1, 1000].map(Duration::from_millis);
        let patience = Patience { pauses: vec![ms; 3], longest: 10 * second, ..Patience::default() };
        let asking = |asked| Setback { asked, ..Setback::new(msg!("error-hub-too-often")) };
        let pauses = |asked| {
            let mut retries = Retries::new(&patience);
            std::iter::from_fn(|| retries.pause(&asking(asked))).collect::<Vec<_>>()
        };
        assert_eq!(pauses(None), [ms; 3]);
        assert_eq!(pauses(Some(3 * second)), [3 * second; 3]);
        assert_eq!(pauses(Some(4 * second)), [4 * second; 2]);
        assert_eq!(pauses(Some(Duration::MAX)), []);
    }

    #[test]
    fn a_drip_is_too_slow() {
        let patience = Patience { window: Duration::ZERO, least_bytes: 100, ..Patience::default() };
        let mut pace = Pace::new(&patience);
        assert!(!pace.is_too_slow(100));
        assert!(pace.is_too_slow(99));
        let mut pace = Pace::new(&Patience::default());
        assert!(!pace.is_too_slow(0), "the window has just begun");
    }
}
