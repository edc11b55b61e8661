//! A lesson from its file. What is wrong is listed with its line, and never ends the program.

use super::values::is_value;
use super::{Check, Directive, Glossary, Lesson, QuizAnswer, QuizQuestion, Scene, is_anchor, names};
use crate::app::core::Control;
use crate::message::{Message, msg};
use pulldown_cmark::{Event, Parser, Tag};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A file that is longer is no lesson.
const LONGEST: usize = 1 << 20;

/// Something that is wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    pub message: Message,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    id: String,
    title: String,
    minutes: u32,
    #[serde(default)]
    needs: Vec<String>,
    #[serde(default)]
    sources: Vec<String>,
    #[serde(default)]
    lock: Vec<String>,
    #[serde(default)]
    hide: Vec<String>,
    #[serde(default)]
    scene: Vec<toml::Spanned<toml::Table>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SceneHeader {
    id: String,
    #[serde(default)]
    setup: Vec<Directive>,
    #[serde(default)]
    point: Vec<String>,
    predict: Option<String>,
    check: Option<Check>,
    #[serde(default)]
    hints: Vec<String>,
    #[serde(default)]
    solution: Vec<Directive>,
    #[serde(default)]
    quiz: Vec<QuizQuestion>,
}

/// Reads a lesson. What can be made of it is returned, with all that is wrong.
pub fn parse(text: &str, glossary: &Glossary) -> (Option<Lesson>, Vec<Problem>) {
    let one = |line: usize, message: Message| (None, vec![Problem { line, message }]);
    if text.len() > LONGEST {
        return one(1, msg!("wrong-too-long"));
    }
    // As other editors write it: a mark of the byte order in front, spaces behind lines.
    let lines: Vec<_> = text.trim_start_matches('\u{feff}').lines().map(fence).collect();
    let text = lines.join("\n") + "\n";
    let Some(rest) = text.strip_prefix("+++\n") else {
        return one(1, msg!("wrong-no-header"));
    };
    let Some((header, body)) = rest.split_once("\n+++\n") else {
        return one(1, msg!("wrong-header-open"));
    };
    // The header begins in the second line.
    let starts = LineStarts::of(header);
    let line_of = |at: usize| 2 + starts.line_of(at);
    let first_body_line = 4 + header.matches('\n').count();
    let read: Header = match toml::from_str(header) {
        Ok(read) => read,
        Err(error) => {
            let line = line_of(error.span().map_or(0, |span| span.start));
            return one(line, msg!("wrong-header", reason = first_line(error.message())));
        }
    };
    let mut reader = LessonReader { problems: Vec::new(), glossary };
    let mut parts = reader.parts(body, first_body_line);
    let mut scenes: Vec<Scene> = Vec::new();
    if read.scene.is_empty() {
        reader.wrong(1, msg!("wrong-no-scene"));
    }
    let (mut all_read, mut ids) = (true, HashSet::new());
    for table in read.scene {
        let start = table.span().start.min(header.len());
        let (line, table) = (line_of(start), table.into_inner());
        let part = table.get("id").and_then(toml::Value::as_str).and_then(|id| parts.remove(id));
        match table.try_into::<SceneHeader>() {
            Ok(scene) => {
                if !ids.insert(scene.id.clone()) {
                    reader.wrong(line, msg!("wrong-scene-twice", id = &*scene.id));
                }
                scenes.push(reader.scene(scene, part, &Source::of(line, &header[start..])));
            }
            Err(error) => {
                // Read as they stand there, the scenes tell where the first that cannot be read goes wrong.
                let span = all_read.then(|| toml::from_str::<Scenes>(header).err()?.span()).flatten();
                let line = span.map_or(line, |span| line_of(span.start));
                all_read = false;
                reader.wrong(line, msg!("wrong-scene", reason = first_line(error.message())));
            }
        }
    }
    for (id, SceneText { line, .. }) in parts {
        reader.wrong(line, msg!("wrong-part", id = id));
    }
    let line_with = |key: &str| 2 + header.lines().take_while(|line| !line.trim_start().starts_with(key)).count();
    if !(1..=60).contains(&read.minutes) {
        reader.wrong(line_with("minutes"), msg!("wrong-minutes"));
    }
    let [lock, hide] =
        [("lock", &read.lock), ("hide", &read.hide)].map(|(key, names)| reader.controls(names, line_with(key)));
    reader.problems.sort_by_key(|problem| problem.line);
    let Header { id, title, minutes, needs, sources, .. } = read;
    let lesson = Lesson { id, title, minutes, needs, sources, lock, hide, scenes };
    let lesson = (!lesson.scenes.is_empty()).then_some(lesson);
    (lesson, reader.problems)
}

/// All scenes of a header, to learn where one cannot be read.
#[derive(Deserialize)]
struct Scenes {
    #[serde(rename = "scene")]
    _scenes: Vec<SceneHeader>,
}

/// What is looked for in a scene besides names and questions.
const PLAIN: [&str; 4] = ["check", "step = 0", "rank = 0", "go_to = 0"];

/// A scene of the header: its first line, and how far below it something stands first.
struct Source<'a> {
    line: usize,
    places: HashMap<&'a str, usize>,
}

impl<'a> Source<'a> {
    /// The scene that begins a text which may have others.
    fn of(line: usize, text: &'a str) -> Self {
        let of_scene = |(place, text): &(usize, &str)| *place == 0 || text.trim() != "[[scene]]";
        let mut places = HashMap::new();
        for (place, text) in text.lines().enumerate().take_while(of_scene) {
            let quoted = text.split('"').chain(text.split('\''));
            for what in quoted.chain(PLAIN.into_iter().filter(|plain| text.contains(plain))) {
                places.entry(what).or_insert(place);
            }
        }
        Self { line, places }
    }

    /// The line in which this stands, or the first.
    fn line_of(&self, what: &str) -> usize {
        self.line + self.places.get(what).unwrap_or(&0)
    }
}

/// Where the lines of a text begin: a lesson can have a mistake in each.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at + 1).collect())
    }

    /// How many lines there are before the one with this byte.
    fn line_of(&self, at: usize) -> usize {
        self.0.partition_point(|start| *start <= at)
    }
}

/// A line of `+++` without the spaces behind it; any other as it is.
fn fence(line: &str) -> &str {
    if line.trim_end() == "+++" { "+++" } else { line }
}

fn first_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(": ")
}

/// The text of a scene in the body, and the lines before it and before what is for the teacher.
struct SceneText {
    line: usize,
    text: String,
    teacher_line: usize,
    teacher: String,
}

struct LessonReader<'a> {
    problems: Vec<Problem>,
    glossary: &'a Glossary,
}

impl LessonReader<'_> {
    fn wrong(&mut self, line: usize, message: Message) {
        self.problems.push(Problem { line, message });
    }

    /// The controls of these names.
    fn controls(&mut self, names: &[String], line: usize) -> Vec<Control> {
        let mut found = Vec::new();
        for name in names {
            let control = name.parse::<Control>().ok();
            if control.is_none() {
                let all = names::all::<Control>().join(", ");
                self.wrong(line, msg!("wrong-control", name = name, all = all));
            }
            found.extend(control);
        }
        found
    }

    /// The parts of the body by id, each looked through.
    fn parts(&mut self, body: &str, first_line: usize) -> BTreeMap<String, SceneText> {
        let mut parts: BTreeMap<String, SceneText> = BTreeMap::new();
        let mut now: Option<(String, bool)> = None;
        for (line, text) in (first_line..).zip(body.lines()) {
            if let Some(id) = text.strip_prefix("## ") {
                let id = id.trim().to_owned();
                if parts.contains_key(&id) {
                    self.wrong(line, msg!("wrong-part-twice", id = &*id));
                }
                let part = SceneText { line, text: String::new(), teacher_line: line, teacher: String::new() };
                parts.insert(id.clone(), part);
                now = Some((id, false));
                continue;
            }
            let Some((id, for_teacher)) = &mut now else {
                if !text.trim().is_empty() {
                    self.wrong(line, msg!("wrong-stray-text"));
                }
                continue;
            };
            let Some(part) = parts.get_mut(id) else { continue };
            if text.trim() == "### Teacher" {
                part.teacher_line = line;
                *for_teacher = true;
                continue;
            }
            self.look_through(text, line);
            let side = if *for_teacher { &mut part.teacher } else { &mut part.text };
            side.push_str(text);
            side.push('\n');
        }
        for part in parts.values() {
            self.links(&part.text, part.line + 1);
            self.links(&part.teacher, part.teacher_line + 1);
        }
        parts
    }

    /// The values of one line.
    fn look_through(&mut self, text: &str, line: usize) {
        for value in between(text, "{{", "}}") {
            if !is_value(value.trim()) {
                self.wrong(line, msg!("wrong-value", value = format!("{{{{{value}}}}}")));
            }
        }
    }

    /// Links, pictures and HTML, as the window would read them: a lesson shows text and reaches nothing else.
    fn links(&mut self, text: &str, first_line: usize) {
        let starts = LineStarts::of(text);
        for (event, range) in Parser::new(text).into_offset_iter() {
            let line = first_line + starts.line_of(range.start);
            match event {
                Event::Start(Tag::Link { dest_url, .. }) => self.link(&dest_url, line),
                Event::Start(Tag::Image { .. }) => {
                    self.wrong(line, msg!("wrong-picture"));
                }
                Event::Html(_) | Event::InlineHtml(_) => {
                    self.wrong(line, msg!("wrong-html"));
                }
                _ => {}
            }
        }
    }

    fn link(&mut self, target: &str, line: usize) {
        match target.split_once(':') {
            Some(("point", name)) if !is_anchor(name) => {
                self.wrong(line, wrong_point(name));
            }
            Some(("term", name)) if self.glossary.find(name).is_none() => {
                self.wrong(line, msg!("wrong-term", name = name));
            }
            Some(("point" | "term" | "https" | "http", _)) => {}
            _ => self.wrong(line, msg!("wrong-link", target = target)),
        }
    }

    fn scene(&mut self, header: SceneHeader, part: Option<SceneText>, source: &Source<'_>) -> Scene {
        let SceneHeader { id, setup, point, predict, check, hints, solution, quiz } = header;
        if part.is_none() {
            self.wrong(source.line, msg!("wrong-no-text", id = &*id));
        }
        for name in point.iter().filter(|name| !is_anchor(name)) {
            self.wrong(source.line_of(name), wrong_point(name));
        }
        for directive in setup.iter().chain(&solution) {
            if let Some((name, message)) = directive.unknown() {
                self.wrong(source.line_of(&name), message);
            }
        }
        if let Some(check) = &check {
            let line = source.line_of("check");
            for (name, message) in check.unknown() {
                self.wrong(source.line_of(&name), message);
            }
            if *check == Check::default() {
                self.wrong(line, msg!("wrong-empty-check"));
            }
            if solution.is_empty() {
                self.wrong(line, msg!("wrong-no-solution"));
            }
        }
        for question in &quiz {
            self.question(question, source.line_of(&question.question));
        }
        let (text, teacher) = part.map_or((String::new(), String::new()), |part| (part.text, part.teacher));
        Scene { id, text, teacher, setup, point, predict, check, hints, solution, quiz }
    }

    fn question(&mut self, question: &QuizQuestion, line: usize) {
        let right = question.answers.iter().filter(|answer| answer.right).count();
        if question.answers.len() < 2 || right != 1 {
            self.wrong(line, msg!("wrong-answers", question = &*question.question));
        }
        for QuizAnswer { text, .. } in question.answers.iter().filter(|answer| !answer.right && answer.why.is_empty()) {
            self.wrong(line, msg!("wrong-no-why", text = text));
        }
    }
}

/// Where the links of a text lead, in whichever way Markdown writes them.
pub fn links(text: &str) -> Vec<String> {
    let target = |event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    };
    Parser::new(text).filter_map(target).collect()
}

/// What stands between each pair of these marks.
fn between<'a>(text: &'a str, open: &'a str, close: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(open).skip(1).filter_map(move |rest| rest.split_once(close).map(|(inner, _)| inner))
}

fn wrong_point(name: &str) -> Message {
    msg!("wrong-point", name = name, all = names::ANCHORS.join(", "))
}
