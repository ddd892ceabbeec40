package dev.millrace.server.port;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Another instance on this host, as identified by its command line.
 *
 * @param properties values set with -D; the last of duplicates applies
 */
record RunningInstance(long pid, Instant start, Map<String, String> properties)
{
    /** System property with the domain directory. */
    static final String DOMAIN = "wlevs.domain.home";

    private static final String MAIN_CLASS = "dev.millrace.launcher.Main";

    /**
     * Returns the instances started before this one, oldest first. Empty where the operating system hides the arguments
     * of other processes.
     */
    static List<RunningInstance> olderThan(final ProcessHandle self)
    {
        final Comparator<RunningInstance> age =
            Comparator.comparing(RunningInstance::start).thenComparing(RunningInstance::pid);
        final RunningInstance me = new RunningInstance(self.pid(), self.info().startInstant().orElse(Instant.MAX),
            Map.of());
        return ProcessHandle.allProcesses().filter(process -> process.pid() != self.pid())
            .flatMap(process -> of(process).stream()).filter(other -> age.compare(other, me) < 0).sorted(age).toList();
    }

    private static Optional<RunningInstance> of(final ProcessHandle process)
    {
        final ProcessHandle.Info info = process.info();
        return info.arguments().filter(arguments -> List.of(arguments).contains(MAIN_CLASS))
            .map(arguments -> new RunningInstance(
                process.pid(), info.startInstant().orElse(Instant.MIN), properties(List.of(arguments))))
            .filter(neighbour -> neighbour.properties().containsKey(DOMAIN) && process.isAlive());
    }

    static Map<String, String> properties(final List<String> arguments)
    {
        final Map<String, String> properties = new HashMap<>();
        for (final String argument : arguments)
        {
            if (argument.startsWith("-D"))
            {
                final int end = argument.indexOf('=');
                properties.put(argument.substring(2, end < 0 ? argument.length() : end),
                    end < 0 ? "" : argument.substring(end + 1));
            }
        }
        return properties;
    }

    /** Returns its domain directory. */
    Path domain()
    {
        return Path.of(properties.getOrDefault(DOMAIN, ""));
    }

    @Override
    public String toString()
    {
        return "domain=" + domain() + " pid=" + pid;
    }
}
