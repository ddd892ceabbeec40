package dev.millrace.tuning;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** Runs the benchmarks in a process of another Java, with the options and the class path of this one. */
final class ForkedJvm
{
    private static final int OLDEST = 17;
    private static final int STOP_SECONDS = 15;

    private final Path java;
    private final Class<?> main;

    /**
     * Checks the home.
     *
     * @param home of a JDK or JRE
     * @param main class of the command
     * @throws IllegalArgumentException when it does not contain a Java that is new enough
     */
    ForkedJvm(final Path home, final Class<?> main)
    {
        this.main = main;
        java = home.resolve("bin").resolve("java");
        if (!Files.isExecutable(java))
        {
            throw new IllegalArgumentException("no Java found, --jdk " + home + "; specify a directory with bin/java");
        }
        final String version = version(home);
        if (!version.isEmpty() && Integer.parseInt(version.split("[^0-9]")[0]) < OLDEST)
        {
            throw new IllegalArgumentException(
                "this Java is too old, --jdk " + home + " version=" + version + "; specify version 17 or newer");
        }
    }

    /** The version that the home specifies; empty if it specifies none. */
    private static String version(final Path home)
    {
        final Path release = home.resolve("release");
        final Properties properties = new Properties();
        if (Files.isRegularFile(release))
        {
            try (var reader = Files.newBufferedReader(release))
            {
                properties.load(reader);
            }
            catch (final IOException unreadable)
            {
                return "";
            }
        }
        final String version = properties.getProperty("JAVA_VERSION", "").replace("\"", "");
        return version.matches("[0-9].*") ? version : "";
    }

    /**
     * Runs the benchmarks there and waits.
     *
     * @param arguments of this command; {@code --jdk} is omitted
     * @return exit code of the process
     * @throws InterruptedException when this thread was interrupted; the process is ended first
     */
    int run(final List<String> arguments) throws InterruptedException, IOException
    {
        final List<String> command = new ArrayList<>(List.of(java.toString()));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(each -> !each.startsWith("-agentlib") && !each.startsWith("-javaagent")).forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(without(arguments));
        final Process process = new ProcessBuilder(command).inheritIO().start();
        final Thread hook = new Thread(() -> end(process), "end the other Java");
        Runtime.getRuntime().addShutdownHook(hook);
        try
        {
            final int exitCode = process.waitFor();
            Runtime.getRuntime().removeShutdownHook(hook);
            return exitCode;
        }
        catch (final InterruptedException e)
        {
            end(process);
            throw e;
        }
    }

    private static void end(final Process process)
    {
        process.destroy();
        try
        {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS))
            {
                process.destroyForcibly();
            }
        }
        catch (final InterruptedException e)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> without(final List<String> arguments)
    {
        final List<String> rest = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++)
        {
            if (arguments.get(i).equals("--jdk"))
            {
                i++;
            }
            else if (!arguments.get(i).startsWith("--jdk="))
            {
                rest.add(arguments.get(i));
            }
        }
        return rest;
    }
}
