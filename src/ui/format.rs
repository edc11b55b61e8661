//! Numbers to text: one policy for the whole screen.

use crate::app::decade;
use crate::app::lessons::Value;
use crate::words::{Language, Words, say};

/// A name as it stands within a sentence: small letters, but not in abbreviations, and as it is in German.
pub fn in_sentence(words: Words, name: &str) -> String {
    let abbreviation = name.chars().nth(1).is_some_and(char::is_uppercase);
    let stays = abbreviation || name.starts_with("Mirostat") || words.language() == Language::German;
    if stays { name.to_owned() } else { name.to_lowercase() }
}

/// The number that was typed in the way of the language.
pub fn read_numeral(words: Words, typed: &str) -> Option<f64> {
    let letter = |c| match (c, words.language()) {
        ('−', _) => '-',
        (',', Language::German) => '.',
        (c, _) => c,
    };
    typed.chars().filter(|c| !c.is_whitespace()).map(letter).collect::<String>().parse().ok()
}

/// The whole number that was typed, with or without marks between its thousands.
pub fn read_count(words: Words, typed: &str) -> Option<f64> {
    let mut groups = typed.trim().split(['.', ',', ' ', '\u{a0}', '\u{202f}']);
    let first = groups.next()?;
    let is_group = |group: &str| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
    let rest: Vec<&str> = groups.collect();
    if first.is_empty() || !rest.iter().all(|group| is_group(group)) {
        return read_numeral(words, typed);
    }
    format!("{first}{}", rest.concat()).parse().ok()
}

/// A place on the unit interval that is cut into tokens, with the decimals that tell the ends of a cut of this width apart.
pub fn place(words: Words, value: f64, width: f64) -> String {
    let decimals = (2.0 - decade(width.max(1e-12))).clamp(4.0, 14.0) as usize;
    words.numeral(format!("{value:.decimals$}"))
}

/// A probability as a percentage with three significant digits; what is not zero never reads as zero.
pub fn percent(words: Words, prob: f64) -> String {
    let value = prob * 100.0;
    let english = if value == 0.0 {
        "0 %".to_owned()
    } else if value < 0.001 {
        "< 0.001 %".to_owned()
    } else if value < 0.01 {
        format!("{value:.5} %")
    } else if value < 0.1 {
        format!("{value:.4} %")
    } else if value < 1.0 {
        format!("{value:.3} %")
    } else if value < 10.0 {
        format!("{value:.2} %")
    } else if value < 99.95 {
        format!("{value:.1} %")
    } else if prob >= 1.0 {
        "100 %".to_owned()
    } else if value < 99.995 {
        format!("{value:.2} %")
    } else if value < 99.999 {
        format!("{value:.3} %")
    } else {
        "> 99.999 %".to_owned()
    };
    words.numeral(english)
}

/// A value in the text of a lesson.
pub fn value(words: Words, value: &Value) -> String {
    match *value {
        Value::Text(ref text) | Value::Token(ref text) => text.clone(),
        Value::Told(ref message) => words.render(message),
        Value::Count(n) => count(words, n),
        Value::Bytes(n) => bytes(words, n),
        Value::Percent(prob) => percent(words, prob),
        Value::Logit(value) => logit(words, value),
        Value::Bits(n) => bits(words, n),
        Value::Ms(n) => ms(words, n),
        Value::Short(value) => short(words, value),
        Value::Place(value, width) => place(words, value, width),
    }
}

/// A message that begins with a capital letter, unless it begins with the name of a file.
pub fn sentence(message: &str) -> String {
    if message.split(' ').next().is_some_and(|word| word.trim_end_matches(['.', ':']).contains('.')) {
        return message.to_owned();
    }
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A count with thousands apart, as in 4,096.
pub fn count(words: Words, n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    words.numeral(out)
}

/// How many times as large as usual, in percent.
pub fn zoom(factor: f32) -> String {
    format!("{:.0} %", factor * 100.0)
}

/// Bytes as B, KiB, MiB or GiB.
pub fn bytes(words: Words, n: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if n < 1024 {
        return format!("{n} B");
    }
    let mut value = n as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    words.numeral(format!("{value:.1} {}", UNITS[unit]))
}

/// Milliseconds with one decimal, with two below one; what is not zero never reads as zero.
pub fn ms(words: Words, ms: f64) -> String {
    words.numeral(match ms {
        _ if ms > 0.0 && ms < 0.005 => "< 0.01 ms".to_owned(),
        _ if ms < 1.0 => format!("{ms:.2} ms"),
        _ => format!("{ms:.1} ms"),
    })
}

/// Tokens per second.
pub fn rate(words: Words, tokens_per_sec: f64) -> String {
    let english = if tokens_per_sec < 10.0 { format!("{tokens_per_sec:.1}") } else { format!("{tokens_per_sec:.0}") };
    say!(words, "format-rate", n = words.numeral(english))
}

/// Bits of entropy; what is not zero never reads as zero.
pub fn bits(words: Words, bits: f64) -> String {
    let number = if bits > 0.0 && bits < 0.005 { "< 0.01".to_owned() } else { format!("{bits:.2}") };
    say!(words, "format-bits", n = words.numeral(number))
}

/// A number with three significant digits, a whole one with all below a million.
pub fn short(words: Words, value: f64) -> String {
    if value < 9.995 {
        words.numeral(format!("{value:.2}"))
    } else if value < 99.95 {
        words.numeral(format!("{value:.1}"))
    } else if value < 999_950.0 {
        count(words, value.round() as u64)
    } else if value.is_finite() {
        scientific(words, value)
    } else {
        "∞".to_owned()
    }
}

/// A number of the computation with three decimals.
pub fn exact(words: Words, value: f64) -> String {
    let english = match format!("{value:.3}") {
        zero if zero == "-0.000" => "0.000".to_owned(),
        english => english.replace('-', "−"),
    };
    words.numeral(english)
}

/// A number as one with three digits times a power of ten.
fn scientific(words: Words, value: f64) -> String {
    let power = decade(value);
    let power = if value / 10f64.powf(power) >= 9.995 { power + 1.0 } else { power };
    let raised = |c| match c {
        '-' => "⁻",
        digit => ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"][digit as usize - '0' as usize],
    };
    let raised: String = (power as i32).to_string().chars().map(raised).collect();
    words.numeral(format!("{:.2} × 10{raised}", value / 10f64.powf(power)))
}

/// A power of e, or a sum of such: with four decimals, and what is very small or large with its power of ten.
pub fn power(words: Words, value: f64) -> String {
    if value == 0.0 || (0.001..9999.5).contains(&value) {
        words.numeral(format!("{value:.4}"))
    } else if value < f64::MIN_POSITIVE {
        words.numeral("< 10⁻³⁰⁷".to_owned())
    } else {
        scientific(words, value)
    }
}

/// A logit.
pub fn logit(words: Words, logit: f64) -> String {
    let english = match format!("{logit:.2}") {
        _ if logit == f64::NEG_INFINITY => return "−∞".to_owned(),
        zero if zero == "-0.00" => "0.00".to_owned(),
        english => english.replace('-', "−"),
    };
    words.numeral(english)
}

/// A difference of logits, with its sign.
pub fn difference(words: Words, difference: f64) -> String {
    let number = logit(words, difference);
    if difference >= 0.005 { format!("+{number}") } else { number }
}

/// A share of a difference: it may be negative, and more than all of it.
pub fn signed_percent(words: Words, share: f64) -> String {
    let percent = format!("{:.0}", 100.0 * share).replace('-', "−");
    let percent = if percent == "−0" { "0".to_owned() } else { percent };
    words.numeral(format!("{percent} %"))
}

/// A number of a vector, with three significant digits and its sign.
pub fn signed(words: Words, value: f64) -> String {
    let decimals = match value.abs() {
        size if size < 0.995 => 3,
        size if size < 9.95 => 2,
        size if size < 99.5 => 1,
        _ => 0,
    };
    let english = format!("{value:.decimals$}");
    let is_zero = english.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.'));
    words.numeral(if is_zero { "0".to_owned() } else { english.replace('-', "−") })
}

#[cfg(test)]
mod tests {
    use super::*;

    const EN: Words = Words::ENGLISH;

    #[test]
    fn a_sentence_begins_with_a_capital_or_with_a_file_as_it_is_called() {
        assert_eq!(sentence("the file is empty: choose another"), "The file is empty: choose another");
        assert_eq!(sentence("tokenizer.json is missing"), "tokenizer.json is missing");
        assert_eq!((sentence("über."), sentence("")), ("Über.".to_owned(), String::new()));
    }

    #[test]
    fn a_typed_count_is_read_as_it_is_written() {
        for typed in ["8192", "8,192", "8.192", "8 192", " 8192 "] {
            assert_eq!(read_count(EN, typed), Some(8192.0), "{typed}");
        }
        assert_eq!((read_count(EN, "1,048,576"), read_count(EN, "2.5")), (Some(1_048_576.0), Some(2.5)));
        assert!(read_count(EN, "x").is_none() && read_count(EN, "").is_none() && read_count(EN, ",123").is_none());
    }

    #[test]
    fn nothing_is_less_than_zero_by_nothing() {
        assert_eq!([-0.0016, -0.0, 0.004, -0.006].map(|value| logit(EN, value)), ["0.00", "0.00", "0.00", "−0.01"]);
    }

    #[test]
    fn a_power_of_e_has_four_decimals_or_a_power_of_ten() {
        let values = [1.0, 0.0, 0.0123, 0.000_123, 4.56e-12, 12_345.0];
        let expected = ["1.0000", "0.0000", "0.0123", "1.23 × 10⁻⁴", "4.56 × 10⁻¹²", "1.23 × 10⁴"];
        assert_eq!(values.map(|value| power(EN, value)), expected);
    }

    #[test]
    fn a_number_of_a_vector_has_three_digits_and_a_sign() {
        let values = [0.0, -0.0004, 0.012_34, -0.5, 1.234, -12.34, 123.4];
        assert_eq!(values.map(|value| signed(EN, value)), ["0", "0", "0.012", "−0.500", "1.23", "−12.3", "123"]);
    }

    #[test]
    fn a_typed_number_is_read_as_it_is_written() {
        for (language, written) in [(Language::English, "0.85"), (Language::German, "0,85")] {
            let words = Words::of(language);
            assert_eq!(
                (words.numeral("0.85".to_owned()), read_numeral(words, written)),
                (written.to_owned(), Some(0.85))
            );
            assert_eq!((read_numeral(words, " − 2"), read_numeral(words, "two")), (Some(-2.0), None));
            assert_eq!(
                read_numeral(words, "0.85"),
                Some(0.85),
                "what is written in English is understood in German too"
            );
        }
    }

    #[test]
    fn the_ends_of_the_narrowest_interval_differ() {
        assert_eq!([place(EN, 0.982_541, 0.25), place(EN, 0.982_5, 0.000_04)], ["0.9825", "0.9825000"]);
        let (low, high) = (0.982_541_3, 0.982_541_9);
        assert_ne!(place(EN, low, high - low), place(EN, high, high - low));
    }

    #[test]
    fn a_probability_has_three_digits_and_is_never_rounded_to_a_limit() {
        for (prob, expected) in [
            (0.0, "0 %"),
            (1e-9, "< 0.001 %"),
            (0.000_123, "0.0123 %"),
            (0.000_028_4, "0.00284 %"),
            (0.0123, "1.23 %"),
            (0.948, "94.8 %"),
            (0.9997, "99.97 %"),
            (0.999_999_9, "> 99.999 %"),
            (1.0, "100 %"),
        ] {
            assert_eq!(percent(EN, prob), expected);
        }
    }

    #[test]
    fn a_perplexity_of_any_size_is_short() {
        let values = [1.0, 12.34, 123.4, 999_949.0, 999_951.0, 3.04e22, 1.7e308, f64::INFINITY];
        let expected = ["1.00", "12.3", "123", "999,949", "1.00 × 10⁶", "3.04 × 10²²", "1.70 × 10³⁰⁸", "∞"];
        assert_eq!(values.map(|value| short(EN, value)), expected);
    }

    #[test]
    fn counts_and_bytes_are_readable() {
        assert_eq!(count(EN, 0), "0");
        assert_eq!(count(EN, 999), "999");
        assert_eq!(count(EN, 4096), "4,096");
        assert_eq!(count(EN, 1_234_567), "1,234,567");
        assert_eq!(bytes(EN, 1023), "1023 B");
        assert_eq!(bytes(EN, 1536), "1.5 KiB");
        assert_eq!(bytes(EN, 3 << 30), "3.0 GiB");
        assert_eq!([exact(EN, -1.5), exact(EN, -0.0001)], ["−1.500", "0.000"]);
        assert_eq!([ms(EN, 0.0), ms(EN, 0.000_9), ms(EN, 0.456)], ["0.00 ms", "< 0.01 ms", "0.46 ms"]);
        assert_eq!(ms(EN, 12.34), "12.3 ms");
        assert_eq!(logit(EN, -1.5), "−1.50");
        assert_eq!([short(EN, 1.234), short(EN, 12.34), short(EN, 1234.5)], ["1.23", "12.3", "1,235"]);
        assert_eq!(sentence("this is"), "This is");
    }

    #[test]
    fn german_has_a_comma_before_the_decimals_and_dots_between_thousands() {
        let de = Words::of(Language::German);
        assert_eq!([percent(de, 0.452), percent(de, 1e-9), percent(de, 1.0)], ["45,2 %", "< 0,001 %", "100 %"]);
        assert_eq!([count(de, 999), count(de, 4096), count(de, 1_234_567)], ["999", "4.096", "1.234.567"]);
        assert_eq!([bytes(de, 1023), bytes(de, 1536)], ["1023 B", "1,5 KiB"]);
        assert_eq!([ms(de, 0.456), ms(de, 12.34)], ["0,46 ms", "12,3 ms"]);
        assert_eq!([rate(de, 2.5), rate(de, 47.3)], ["2,5 Tok/s", "47 Tok/s"]);
        assert_eq!([bits(de, 2.345), logit(de, -1.5)], ["2,35 Bit", "−1,50"]);
        assert_eq!([short(de, 1.234), short(de, 12.34), short(de, 1234.5)], ["1,23", "12,3", "1.235"]);
        assert_eq!([percent(EN, 0.452), count(EN, 4096), bits(EN, 2.345)], ["45.2 %", "4,096", "2.35 bits"]);
        assert_eq!([rate(EN, 2.5), rate(EN, 47.3)], ["2.5 tok/s", "47 tok/s"]);
    }
}
