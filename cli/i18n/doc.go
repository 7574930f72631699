// Package i18n says in words what happens in a game.
//
// The engine and the table tell codes and operands, never text. A [Catalogue] has one template for each code; a
// [Log] puts the operands in:
//
//	engine.Event ──┐
//	table.News ────┴──> Log ── template of the code, names, cards, numbers ──> one line
//
// Lines have the form "name: what happened", one fact a line, without box characters, so that they read aloud and
// survive a pipe. Names are never inflected and numbers stand beside their nouns, which is what other languages need:
// another language is another [Catalogue], and a missing template is a field that does not compile or, in a file that
// overlays this one, falls back to English.
//
// A template holds operands in braces: {seat} {to} {card} {as} {n} {of} {cards}. {n:card|cards} chooses the word that
// goes with the number n by the rule of the language, and {cards:…} likewise.
//
// What a front end asks and answers (Prompts), what it says before and after a game (LobbyTexts), why a command has
// failed (Complaint) and what the doctor finds (Finding), what commands print (ReportTexts) and their help (Page) are
// filled by [Catalogue.Put], with operands by name. The commands have no words of their own: a test in package cli finds
// them.
package i18n
