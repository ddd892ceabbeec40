package dev.millrace.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * Home and domain of an instance, and the time limit for stopping.
 *
 * @param home          home directory, contains {@code bundles}
 * @param domain        domain directory, contains {@code config}
 * @param stopTimeoutNs time after which a process that does not stop is terminated
 */
record LaunchSettings(Path home, Path domain, long stopTimeoutNs)
{
    static final String HOME = "wlevs.home";

    static final String DOMAIN = "wlevs.domain.home";

    /** Seconds a stopping instance may take; range 1 to 600, default 20. */
    static final String STOP_TIMEOUT = "millrace.stop.timeout.seconds";

    private static final int DEFAULT_STOP_TIMEOUT_SECONDS = 20;

    private static final int MAX_STOP_TIMEOUT_SECONDS = 600;

    static LaunchSettings of(final Properties properties) throws LaunchException
    {
        final Path home = directory(properties, HOME, "the directory that contains bin, lib and bundles");
        final Path domain = directory(properties, DOMAIN, "the directory that contains config and applications");
        return new LaunchSettings(home, domain, TimeUnit.SECONDS.toNanos(stopTimeoutSeconds(properties)));
    }

    private static Path directory(final Properties properties, final String name, final String what)
        throws LaunchException
    {
        final String value = properties.getProperty(name);
        if (value == null || value.isBlank())
        {
            throw new LaunchException(ExitCode.USAGE,
                "SRV-0001: system property is missing, name=" + name + "\n    hint: start with startwlevs.sh of a "
                    + "domain, or set -D" + name + "=" + what);
        }
        final Path path = Path.of(value).toAbsolutePath().normalize();
        if (!Files.isDirectory(path))
        {
            throw new LaunchException(ExitCode.USAGE,
                "SRV-0001: not a directory, " + name + "=" + path + "\n    hint: it must be " + what);
        }
        return path;
    }

    private static int stopTimeoutSeconds(final Properties properties) throws LaunchException
    {
        final String text = properties.getProperty(STOP_TIMEOUT);
        if (text == null)
        {
            return DEFAULT_STOP_TIMEOUT_SECONDS;
        }
        try
        {
            final int seconds = Integer.parseInt(text.trim());
            if (seconds >= 1 && seconds <= MAX_STOP_TIMEOUT_SECONDS)
            {
                return seconds;
            }
        }
        catch (final NumberFormatException e)
        {
            throw badTimeout(text, e);
        }
        throw badTimeout(text, null);
    }

    private static LaunchException badTimeout(final String text, final Throwable cause)
    {
        return new LaunchException(ExitCode.USAGE, "SRV-0001: not a number of seconds, " + STOP_TIMEOUT + "=" + text
            + "\n    hint: use a whole number from 1 to " + MAX_STOP_TIMEOUT_SECONDS, cause);
    }

    Path var()
    {
        return domain.resolve("var");
    }
}
