package dev.millrace.command.instance;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Deletes directories, also while a process still creates files in them. */
final class DirectoryDeletion
{
    private static final int DELETE_TRIES = 40;

    private static final long DELETE_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private DirectoryDeletion()
    {
    }

    /**
     * Deletes a domain whose instance has ended, or is ending.
     *
     * @param directory deleted with all its content; links are deleted, not followed
     * @throws IOException when a file cannot be deleted
     */
    static void delete(final Path directory) throws IOException
    {
        for (int left = DELETE_TRIES; Files.exists(directory); left--)
        {
            try
            {
                deleteTree(directory);
            }
            catch (final DirectoryNotEmptyException e)
            {
                if (left == 0)
                {
                    throw e;
                }
                // A process that is ending has created a file in the meantime.
                LockSupport.parkNanos(DELETE_PAUSE_NS);
            }
        }
    }

    private static void deleteTree(final Path directory) throws IOException
    {
        Files.walkFileTree(directory, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) throws IOException
            {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(final Path visited, final IOException failure)
                throws IOException
            {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
