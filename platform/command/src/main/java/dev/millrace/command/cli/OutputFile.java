package dev.millrace.command.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** Files that a command writes at its end, which may be hours after its start. */
public final class OutputFile
{
    private OutputFile()
    {
    }

    /**
     * Checks before the work whether a file can be written after it.
     *
     * @param option option with the file
     * @param file   {@code null} for none
     * @throws CommandException when its directory does not exist, or it cannot be written
     */
    public static void check(final String option, final Path file)
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
                option + "=" + file, "specify a file in an existing directory; " + directory +
                " does not exist or is not writable");
        }
    }
}
