// Package card is the pane that shows one permission request and takes a
// person's answer to it.
//
// # What it promises
//
//   - An answer is for the request, with the digest, that was on the screen. If
//     that has changed, or was settled, since it was painted, the key sends
//     nothing and the card says so.
//   - What allows is taken only when all of the card has been on the screen for
//     some time in which no key came (Options.Arm), when the screen has said
//     soon after it that they are open, and when everything the agent would do
//     has been in view, line by line (Options.ReadAll). Every change of what is
//     shown, of the window's size or of the focus starts that time anew, and so
//     does a panel that was stopped or could not draw.
//   - What rejects once is taken as soon as the request has been on the screen,
//     except as the repeat of a key that was held down for the one before.
//   - What lasts, and what nobody here knows the reach of, takes a word and Enter
//     as well. So does what could not be read as a whole: an input that only the
//     beginning of is here, or a very long one whose end was jumped to.
//   - No option is chosen for anybody: none is selected at first, Enter alone does
//     nothing, and neither do the keys people press to say yes or no elsewhere.
//   - At most one answer to a request is on its way. The next one can only follow
//     when the proxy has refused it or the connection has failed.
//   - Options are shown in the agent's order and words. What their kinds mean is
//     our reading, and options with one id are taken for the one of them that
//     allows most.
//
// What is shown is what the agent claims. Of what there is before the tool runs the
// proxy knows how the paths lie to the workspace and, where somebody asks it, how
// the old sides of diffs and the disk go together: Compare says what is to be asked,
// Compared takes the answer, and before that no key that allows is taken. All of it
// is cleaned, and bounded as the proxy bounds it; long rows of blanks and of empty
// lines are replaced by their number.
//
// # How it is used
//
// Draw paints, and Shown says that this is on the screen now; only then does time
// begin and does a line count as seen. Key gets every key first. An answer is a
// wish (pane.Answer); what came of it goes to Ruled. Tick and Next are for what
// happens as time goes by.
package card
