package dev.millrace.command.app;

import dev.millrace.command.cli.FollowedFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The log of a server: {@code server.log} and the older files {@code server.1.log} and so on. Reads existing lines,
 * then new ones, also across rotations. Not thread-safe.
 */
final class ServerLog implements AutoCloseable
{
    private static final int MAX_FILES = 100;

    private final Path folder;
    private final FollowedFile current;

    ServerLog(final Path folder)
    {
        this.folder = folder;
        this.current = new FollowedFile(folder.resolve("server.log"));
    }

    /** Reads all lines of the files older than the current one. */
    void readOlder(final Consumer<String> lines) throws IOException
    {
        final List<Path> older = new ArrayList<>();
        for (int i = 1; i <= MAX_FILES && Files.exists(folder.resolve("server." + i + ".log")); i++)
        {
            older.add(0, folder.resolve("server." + i + ".log"));
        }
        for (final Path file : older)
        {
            try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1))
            {
                for (String line = reader.readLine(); line != null; line = reader.readLine())
                {
                    lines.accept(new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
                }
            }
        }
    }

    /** Reads complete lines added since the last call; all lines at the first call. */
    void readNew(final Consumer<String> lines) throws IOException
    {
        current.readNew(lines);
    }

    @Override
    public void close() throws IOException
    {
        current.close();
    }
}
