package dev.millrace.command;

import java.nio.file.Files;
import java.nio.file.Path;

/** Files that a command writes when its work is done, which may be hours after it began. */
final class OutputFile
{
    private OutputFile()
    {
    }

    /**
     * Ends the command before its work when a file could not be written after it.
     *
     * @param option that names it
     * @param file   to be written; {@code null} for none
     * @throws CommandException when its directory is not there, or it cannot be written
     */
    static void check(final String option, final Path file)
    {
        if (file == null)
        {
            return;
        }
        final Path directory = file.toAbsolutePath().normalize().getParent();
        final boolean isWritable = Files.exists(file) ? Files.isRegularFile(file) && Files.isWritable(file) :
            directory != null && Files.isDirectory(directory) && Files.isWritable(directory);
        if (!isWritable)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0106", "the file for the figures cannot be written, " +
                option + "=" + file, "name a file in a directory that is there, " + directory +
                " is not or cannot be written to");
        }
    }
}
