//! The field's terms, a paragraph each.

/// One term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its name.
    pub name: String,
    /// What it means, in Markdown.
    pub text: String,
}

/// All terms in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glossary {
    terms: Vec<Term>,
}

impl Glossary {
    /// Reads parts that begin with `## ` and the term.
    pub fn parse(text: &str) -> Self {
        let parts = text.split("\n## ").skip(1);
        let terms = parts.filter_map(|part| {
            let (name, text) = part.split_once('\n')?;
            Some(Term { name: name.trim().to_owned(), text: text.trim().to_owned() })
        });
        Self { terms: terms.collect() }
    }

    /// All terms.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The term of this key: its name in small letters, with `-` for spaces.
    pub fn find(&self, key: &str) -> Option<&Term> {
        self.terms.iter().find(|term| term.key() == key)
    }
}

impl Term {
    /// How a link names it.
    pub fn key(&self) -> String {
        self.name.to_lowercase().replace(' ', "-")
    }
}
