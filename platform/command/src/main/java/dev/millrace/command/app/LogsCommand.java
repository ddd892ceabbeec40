package dev.millrace.command.app;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.InstanceOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the lines of one application in the log of the server. */
@Command(
    name = "logs", mixinStandardHelpOptions = true,
    description = {"Shows the lines of one application in the log of its server, logs/server.log of the domain.",
        "Shows lines of its threads and lines that contain its name, with their stack traces. Rotated files" +
            " are included."},
    footer = {"", "Examples:", "  millrace app logs my.application", "  millrace app logs -f my.application",
        "  millrace app logs -n 1000 --domain /srv/market my.application"})
public final class LogsCommand implements Callable<Integer>
{
    private static final int MAX_LINES = 100_000;
    private static final long PERIOD_MS = 200;

    @Spec
    private CommandSpec spec;

    @Mixin
    private InstanceOptions target;

    @Option(names = {"-f", "--follow"}, description = "Continues with new lines until Ctrl-C.")
    private boolean follow;

    @Option(names = {"-n", "--lines"}, paramLabel = "COUNT", defaultValue = "100",
        description = "Number of last lines shown first. Default: ${DEFAULT-VALUE}.")
    private int count;

    @Parameters(paramLabel = "NAME", description = "Application: the symbolic name of its bundle.")
    private String name;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        if (count < 0 || count > MAX_LINES)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0203", "number of lines is out of range, lines=" + count,
                "specify 0 to " + MAX_LINES);
        }
        if (target.isAddressOnly())
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0204", "logs are read from files, not from an address",
                "run it on the host of the instance with --domain and its directory");
        }
        return show(target.domain().directory().resolve("logs"), spec.commandLine().getOut());
    }

    private int show(final Path folder, final PrintWriter out) throws IOException, InterruptedException
    {
        if (!Files.isDirectory(folder))
        {
            throw new CommandException(ExitCode.NOT_FOUND, "CMD-0205", "the domain has no logs, directory=" + folder,
                "start it once; or check config/logback.xml, which configures the log files");
        }
        final ApplicationLogFilter filter = new ApplicationLogFilter(name);
        try (ServerLog log = new ServerLog(folder))
        {
            final Deque<String> last = new ArrayDeque<>();
            log.readOlder(line -> keep(filter, line, last));
            log.readNew(line -> keep(filter, line, last));
            last.forEach(out::println);
            out.flush();
            while (follow)
            {
                TimeUnit.MILLISECONDS.sleep(PERIOD_MS);
                log.readNew(line ->
                {
                    if (filter.accepts(line))
                    {
                        out.println(line);
                    }
                });
                out.flush();
            }
        }
        return ExitCode.DONE;
    }

    private void keep(final ApplicationLogFilter filter, final String line, final Deque<String> last)
    {
        if (filter.accepts(line))
        {
            last.addLast(line);
            if (last.size() > count)
            {
                last.removeFirst();
            }
        }
    }
}
