# Wie aus dem Prompt Tokens wurden, Merge für Merge.

merges-title = So wird der Prompt zu Tokens
merges-about = Der Tokenizer schneidet den Text zuerst in Wörter. Die Byte-Paar-Kodierung (BPE) zerlegt jedes Wort in seine kleinsten Stücke und verbindet immer die zwei Nachbarn, deren Merge-Regel am frühesten gelernt wurde, bis keine Regel mehr passt
merges-about-shown = Dieser Tokenizer schneidet den Text nicht zuerst: Die Byte-Paar-Kodierung (BPE) zerlegt ihn in seine kleinsten Stücke und verbindet immer die zwei Nachbarn, deren Merge-Regel am frühesten gelernt wurde, bis keine Regel mehr passt. Keine seiner Regeln verbindet etwas mit einem Leerzeichen dahinter, darum lässt sich jedes Wort für sich ansehen
merges-about-whole = Dieser Tokenizer schneidet den Text nicht zuerst: Die Byte-Paar-Kodierung (BPE) zerlegt ihn ganz in seine kleinsten Stücke und verbindet immer die zwei Nachbarn, deren Merge-Regel am frühesten gelernt wurde, bis keine Regel mehr passt
merges-about-unigram = Dieser Tokenizer ist Unigram: Von allen Arten, ein Wort in Stücke seines Vokabulars zu schneiden, nimmt er die wahrscheinlichste
merges-about-word-piece = Dieser Tokenizer ist WordPiece: Von links nimmt er immer wieder das längste Stück seines Vokabulars, das passt
merges-word = Wort { $n } von { $all }: { $word }
merges-word-hint = { $n ->
    [one] Klicke, um zu sehen, wie daraus 1 Token wird
   *[other] Klicke, um zu sehen, wie daraus { $n } Tokens werden
    }
merges-more = die ersten { $shown } von { $n } Wörtern
merges-start = die kleinsten Stücke: Bytes oder Zeichen
merges-rule = Merge-Regel { $place } von { $n }: { $left } + { $right }
merges-tokens = { $n ->
    [one] keine Regel passt mehr: 1 Token mit seiner ID
   *[other] keine Regel passt mehr: { $n } Tokens mit ihren IDs
    }
merges-result = { $n ->
    [one] 1 Token mit seiner ID
   *[other] { $n } Tokens mit ihren IDs
    }
merges-whole = Dieses Wort steht im Vokabular, und dieser Tokenizer schlägt Wörter nach, bevor er Merges macht: Hier braucht es keinen
merges-added = Das ist ein eigenes Token: Es wird nie zerschnitten und nie verbunden
merges-long = Das sind { $n } Byte, zu viele, um Schritt für Schritt gezeigt zu werden
merges-row = { $what }: { $pieces }
merges-table = Alle Tokens des Prompts
merges-best-cut = der wahrscheinlichste Schnitt, Summe der Log-Wahrscheinlichkeiten { $sum }
merges-next-cut = der nächstbeste Schnitt, { $sum }
merges-match = „{ $rest }“: das längste passende Stück, { $n ->
    [one] ein Versuch
   *[other] { $n } Versuche
 }
merges-no-match = nichts passt
merges-normalizer = Normalizer { $name }
merges-pre-tokenizer = Pre-Tokenizer { $name }
tokenizers-heading = Derselbe Text unter einem zweiten Tokenizer
tokenizers-folder = Modellordner…
tokenizers-folder-hint = Die tokenizer.json eines Modellordners; seine Gewichte werden nicht gelesen
tokenizers-file = tokenizer.json…
tokenizers-file-hint = Die tokenizer.json irgendeines Modells
tokenizers-bundled = Mitgeliefert
tokenizers-bundled-hint = Der Tokenizer der mitgelieferten Modelle
tokenizers-leave = Entfernen
tokenizers-about = Wähle den Tokenizer eines anderen Modells: Dann steht der Prompt hier unter beiden, mit der Zahl der Tokens, die jeder daraus macht
tokenizers-reading = Der Tokenizer wird gelesen…
tokenizers-count = { $n ->
    [one] { $name }: { $n } Token
   *[other] { $name }: { $n } Tokens
}
tokenizers-chars = { $n } Zeichen je Token
tokenizers-chars-hint = Zeichen des Prompts je Token, das kein besonderes ist: Je mehr, desto weniger Durchläufe braucht ein Text
