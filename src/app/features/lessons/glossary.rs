//! The field's terms, a paragraph each.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// How a link names it: in every language the English name in small letters, with `-` for spaces.
    key: String,
    pub name: String,
    /// What it means, in Markdown.
    pub text: String,
}

/// All terms in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glossary {
    terms: Vec<Term>,
    /// The names in small letters, the longest first, each with the place of its term.
    names: Vec<(String, usize)>,
    /// The places of the terms by their names.
    by_name: Vec<usize>,
}

impl Glossary {
    /// Reads parts that begin with `## ` and the term, and in other languages than English the key in `{#…}` behind it.
    pub fn parse(text: &str) -> Self {
        let parts = text.split("\n## ").skip(1);
        let terms = parts.filter_map(|part| {
            let (name, text) = part.split_once('\n')?;
            let (name, key) = match name.trim().strip_suffix('}').and_then(|name| name.split_once(" {#")) {
                Some((name, key)) => (name, key.to_owned()),
                None => (name.trim(), name.trim().to_lowercase().replace(' ', "-")),
            };
            Some(Term { key, name: name.to_owned(), text: text.trim().to_owned() })
        });
        Self::of(terms.collect())
    }

    fn of(terms: Vec<Term>) -> Self {
        let mut names: Vec<_> = terms.iter().map(|term| term.name.to_lowercase()).zip(0..).collect();
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let mut by_name: Vec<usize> = (0..terms.len()).collect();
        let plain = |name: &str| name.to_lowercase().replace('ä', "a").replace('ö', "o").replace('ü', "u");
        by_name.sort_by_cached_key(|idx| plain(&terms[*idx].name));
        Self { terms, names, by_name }
    }

    /// With the terms of another one that this one lacks.
    pub(super) fn or(mut self, other: Self) -> Self {
        let missing = other.terms.into_iter().filter(|term| self.find(&term.key).is_none()).collect::<Vec<_>>();
        self.terms.extend(missing);
        Self::of(self.terms)
    }

    /// The terms that a text has, in its order; none within another, as "token" in "special token".
    pub fn terms_in(&self, text: &str) -> Vec<&Term> {
        let mut rest = text.to_lowercase();
        let mut found = Vec::new();
        for (name, term) in &self.names {
            let places = rest.match_indices(&**name).map(|(at, _)| at);
            let places: Vec<usize> = places.filter(|at| is_word(&rest, *at, name)).collect();
            found.extend(places.first().map(|at| (*at, *term)));
            for at in places {
                rest.replace_range(at..at + name.len(), &" ".repeat(name.len()));
            }
        }
        found.sort_unstable();
        found.into_iter().map(|(_, term)| &self.terms[term]).collect()
    }

    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// All terms by their names in the language of the glossary; ä stands with a.
    pub fn by_name(&self) -> impl Iterator<Item = &Term> {
        self.by_name.iter().map(|idx| &self.terms[*idx])
    }

    /// The term of this key.
    pub fn find(&self, key: &str) -> Option<&Term> {
        self.terms.iter().find(|term| term.key() == key)
    }
}

/// Whether a word begins at `at` and ends with the name, but for an ending such as that of a plural.
fn is_word(text: &str, at: usize, name: &str) -> bool {
    let letter = |c: &char| c.is_alphanumeric() || *c == '-';
    let within = text[..at].chars().next_back().is_some_and(|c| letter(&c));
    let ending: String = text[at + name.len()..].chars().take_while(letter).collect();
    !within && matches!(&*ending, "" | "s" | "n" | "en" | "es")
}

impl Term {
    /// How a link names it.
    pub fn key(&self) -> &str {
        &self.key
    }
}
