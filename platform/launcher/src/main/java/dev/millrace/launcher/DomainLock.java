package dev.millrace.launcher;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Prevents a second process from running in a domain. The operating system releases the lock when the process dies for
 * any reason; the pid file is for people and scripts.
 */
final class DomainLock implements AutoCloseable
{
    private final FileChannel channel;

    private final Path pidFile;

    private DomainLock(final FileChannel channel, final Path pidFile)
    {
        this.channel = channel;
        this.pidFile = pidFile;
    }

    static DomainLock take(final Path var) throws LaunchException
    {
        final Path pidFile = var.resolve("pid");
        try
        {
            Files.createDirectories(var, PosixFilePermissions.asFileAttribute(
                PosixFilePermissions.fromString("rwx------")));
            final FileChannel channel = FileChannel.open(
                var.resolve("server.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!lock(channel))
            {
                channel.close();
                throw new LaunchException(ExitCode.ALREADY_RUNNING,
                    "SRV-0002: domain is already running, domain=" + var.getParent() + " pid=" + readPid(pidFile)
                        + "\n    hint: stop it with stopwlevs.sh, or copy the domain directory and change the ports"
                        + " for a second instance");
            }
            Files.writeString(pidFile, ProcessHandle.current().pid() + "\n");
            return new DomainLock(channel, pidFile);
        }
        catch (final IOException e)
        {
            throw new LaunchException(ExitCode.START_FAILED,
                "SRV-0006: cannot write, directory=" + var + " reason=" + e
                    + "\n    hint: the user that starts the instance must own the domain directory", e);
        }
    }

    private static boolean lock(final FileChannel channel) throws IOException
    {
        try
        {
            final FileLock lock = channel.tryLock();
            return lock != null;
        }
        catch (final OverlappingFileLockException e)
        {
            // Held by this process.
            return false;
        }
    }

    private static String readPid(final Path pidFile)
    {
        try
        {
            return Files.readString(pidFile).trim();
        }
        catch (final IOException e)
        {
            return "unknown";
        }
    }

    @Override
    public void close() throws IOException
    {
        Files.deleteIfExists(pidFile);
        channel.close();
    }
}
