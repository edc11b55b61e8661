# Lektionen, Vorhersagen, Vorführen, das Glossar.

# Die Liste
lessons = Lektionen
lessons-hide = Lektionen ausblenden
lessons-finished = { $n } von { $all } abgeschlossen
lesson-minutes = { $n ->
    [one] 1 Minute
   *[other] { $n } Minuten
    }
lesson-after = nach „{ $title }“

# Eine Lektion
lesson-back = ◀ Lektionen
lesson-back-tip = Zurück zur Liste; was auf dem Bildschirm ist, bleibt
lesson-place = { $n } von { $all }
lesson-teacher = Für die Lehrkraft
lesson-sources = Zum Lesen und Ansehen
lesson-finish = Abschließen
lesson-locks = In dieser Lektion bleibt das so, wie es ist. Verlass die Lektion, um es zu ändern
lesson-other-model = Diese Lektion wurde für das mitgelieferte Modell geschrieben: Bei einem anderen passen Text und Aufgaben vielleicht nicht
lesson-load-bundled = Mitgeliefertes Modell laden
lesson-left-out = Ausgelassen
lesson-leave-out = Auslassen
scene-back = ◀ Szene
scene-next = Weiter ▶
scene-next-tip = Weiter zur nächsten Szene (N)
scene-not-yet = Tu erst, was oben verlangt wird
task-done = ✓ Erledigt
task-yours = Du bist dran
task-hint = Tipp
task-show = Zeig es mir
task-show-tip = Die Lektion macht es vor
quiz-right = Richtig

# Was kommt als Nächstes
predict-me = Ich sage
predict-me-tip = Ein Wort, und für wie wahrscheinlich du es hältst
predict-class = Wir sagen
predict-class-tip = Bis zu sechs Wörter, jedes mit den Stimmen einer Klasse
predict-word = Deine Vorhersage
predict-word-hint = ein Wort
predict-percent = Seine Wahrscheinlichkeit in Prozent
predict-percent-tip = Wie sicher bist du? Wer 99 % sagt und sich irrt, zahlt viel
predict-give = Sagen und nachsehen
predict-give-tip = Das Modell macht das Token, und beides wird verglichen
predict-row = Wort { $n } der Klasse
predict-fewer = Eine Stimme weniger für Wort { $n }
predict-more = Eine Stimme mehr für Wort { $n }
predict-add = + Wort
predict-votes = { $n ->
    [one] 1 Stimme
   *[other] { $n } Stimmen
}
predict-stopped = Es kam kein Token: Drücke „Schritt“, damit das Modell weitermacht
predict-waiting = Das Modell ist dabei …
predict-of-you = von dir gesagt
predict-of-class = von der Klasse gesagt
predict-of-model = nach den Samplern
predict-else = etwas anderes
predict-begins = { $word } ({ $token }…)
predict-came = Es kam { $token }, das nach den Samplern { $prob } hatte
predict-score = Deine Überraschung { $yours }, die des Modells mit seinen Samplern { $models }
predict-mean = { $n ->
    [one] Eine Vorhersage bisher: { $yours } für dich, { $models } für das Modell mit seinen Samplern
   *[other] Mittel von { $n } Vorhersagen: { $yours } für dich, { $models } für das Modell mit seinen Samplern
}
predict-why = Warum diese Wertung?
predict-rule = Die logarithmische Regel: −log₂ der Wahrscheinlichkeit, die du dem gegeben hast, was kam. Weniger ist besser. 50 % kosten immer 1 Bit; 99 % kosten 0,01 Bit, wenn es kommt, und 6,6 Bit, wenn nicht. Am besten fährt, wer sagt, was er glaubt. In einer Klasse haben jedes Wort und „etwas anderes“ vorab je eine Stimme, damit nichts unmöglich ist
predict-question = Was kommt als Nächstes?
predict-again = Nächste Vorhersage
predict-stop = Keine Vorhersagen mehr

# Vorführen
present = Vorführen
present-leave = Vorführung beenden
present-leave-tip = Zurück zum ganzen Fenster (F5 oder Esc)
present-notes = Notizen
present-notes-tip = Die Notizen für die Lehrkraft, in einem eigenen Fenster (N)
present-poll = Umfrage
present-blank = Der Bildschirm ist schwarz
present-back = Zurück
present-back-tip = Einen Schritt zurück (Bild auf)
present-next-tip = Weiter (Leertaste oder Bild ab). B macht den Bildschirm schwarz
present-look = Zeigen
present-reveal = Aufdecken
present-solve = Vormachen
present-question = Frage
present-answer = Antwort
present-scene = Nächste Szene
present-more = Weiterlesen
present-step = Nächstes Token
shown-scene = Szene
shown-text = Text
shown-distribution = Verteilung
shown-numbers = Zahlen
shown-loop = Schleife
notes-title = Tokenscope: Notizen
notes-no-lesson = Keine Lektion ist offen: Die Leertaste macht das nächste Token, P fragt zuerst die Klasse
notes-next = Als Nächstes: { $what }
notes-none = Keine Notizen zu dieser Szene
notes-words = Was die Szene sagt

# Das Glossar
glossary = Glossar
glossary-all = Alle Begriffe
glossary-look-up = „{ $term }“ im Glossar nachschlagen
