// Package bounds says whether a path lies in a workspace, by asking the file
// system what the kernel would open.
//
// A [Set] is made of directories, its roots, and [Set.Check] judges one path
// after another. A path is inside when everything that could be opened by that
// name now is a root or lies in one:
//
//   - It is followed one name at a time. Links are followed wherever they lead,
//     40 of them as the kernel does, also when there is nothing at their end:
//     a write makes a file there.
//   - A path with ".." in it is followed twice, as the kernel reads it and as
//     programs read it that clean paths first. Both ways must end inside.
//     Leaving a root on the way and coming back is fine.
//   - What does not exist yet is where its deepest existing directory is. After
//     a missing directory, ".." is refused: the kernel would not find it, and a
//     program that cleans paths would go somewhere.
//   - A directory is a root because it has the root's device and inode number,
//     never because of its name. So a root may be a link or end in a slash,
//     paths may reach it by any other way, and whether a file system knows
//     letters' cases or composed characters is the file system's own business.
//   - A root is the directory that its path named when it was pinned. When the
//     path names another one, or none, nothing is inside that root any more.
//   - /proc and /dev/fd are never inside, not even where they lead back in,
//     because they are different ones for the program that opens the file.
//     Neither are devices and other file systems that the kernel makes up, even
//     with / as a root.
//   - What cannot be looked at is refused.
//
// Names are taken literally. There are no patterns, no percent signs to decode,
// no home directory; a file: address is not an absolute path.
//
// One path costs two system calls at the top of the file system, one for each
// name, and one for the root, twice over when it has ".." in it; more than 4096
// names, counting those that links add, are refused. That is some 20 µs for a
// usual path and, since the kernel starts from the top for each name, a tenth of
// a second for the worst that fits.
//
// # What an agent learns
//
// A refusal's [Code] does not depend on what there is outside of the roots:
// whatever goes wrong out there is an [Escape]. [Verdict.Target] may say where a
// link leads and is for people alone. A path that leaves the workspace and comes
// back into it does tell whether the directories on its way exist, as opening
// it would.
//
// # Later
//
// [Verdict.Later] warns of writes that are inside and yet take effect outside:
// hooks of git, settings of editors and agents, start-up files of shells. It
// goes by names, whatever their case and whether they exist or not, and sees
// them in the path as given, after each link, and in the end. A hard link to
// such a file, a hooks directory that git's settings put elsewhere, and tools
// that are not in the table pass without a warning.
//
// # Limits
//
//   - The judgement is about the moment it was made in. Who can write in the
//     workspace can put a link in the place of a directory before the file is
//     opened. Only the program that opens the file could close this gap, and
//     that is not us, save for what Set.Open opens.
//   - A hard link inside to a file outside is a file inside. So is what somebody
//     with the right to do so has mounted inside.
//   - A link outside that leads to a file inside is inside, as opening it is. A
//     program that writes a new file and renames it to the link's name replaces
//     the link.
//   - The path is judged as this process sees it. A program in another container
//     or with another root directory may see something else.
//   - Looking at a network file system that hangs, hangs.
//   - A way that is longer than 4095 bytes once its links are followed is
//     refused, although the kernel could go it.
//   - On macOS nothing is refused for the file system it is on, and a root's
//     inode number may be given to a new directory once the root is removed. No
//     test of this package has been run there.
//   - On Windows only plain paths with a drive letter are judged; shares, device
//     paths, streams, reserved names, and names ending in dots or blanks are
//     refused. Junctions are followed as links. None of this has been tried on
//     Windows: take its verdicts there as something to look at, not as a guard.
//
// There are no goroutines.
package bounds
