package dev.millrace.launcher;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The main class of a server instance: {@code java -Dwlevs.home=HOME -Dwlevs.domain.home=DOMAIN -cp 'HOME/lib/*'
 * dev.millrace.launcher.Main}.
 */
public final class Main
{
    private Main()
    {
    }

    /**
     * Starts an instance; never returns normally but exits the process.
     *
     * @param args none; all settings are system properties or in the domain's files
     */
    public static void main(final String[] args)
    {
        SerialFilter.install();
        final LaunchSettings settings;
        try
        {
            settings = LaunchSettings.of(System.getProperties());
        }
        catch (final LaunchException e)
        {
            // No logging yet: its configuration is in the directory that could not be found.
            System.err.println(e.getMessage());
            System.exit(e.exitCode());
            return;
        }
        configureLogging(settings);
        final int exitCode = new Launcher(settings).run();
        System.exit(exitCode);
    }

    /** Must run before the first logger is created. */
    private static void configureLogging(final LaunchSettings settings)
    {
        final Path file = settings.domain().resolve("config").resolve("logback.xml");
        if (System.getProperty("logback.configurationFile") == null && Files.isRegularFile(file))
        {
            System.setProperty("logback.configurationFile", file.toString());
        }
    }
}
