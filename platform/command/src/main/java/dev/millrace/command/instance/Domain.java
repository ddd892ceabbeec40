package dev.millrace.command.instance;

import dev.millrace.command.CommandException;
import dev.millrace.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A domain directory: one server instance.
 *
 * @param directory holds startwlevs.sh and config
 */
public record Domain(Path directory)
{
    /** File with the credentials of whoever may read it, written at each start of the instance. */
    public static final String TOKEN_FILE = "var/admin.token";

    /** File with the address of the management endpoint, there while the instance runs. */
    public static final String URL_FILE = "var/management.url";

    private static final String DOMAIN_ARGUMENT = "-Dwlevs.domain.home=";

    /** Longer command lines are cut by some operating systems. */
    private static final int SHOWN_ARGUMENTS = 4_000;

    /** Between the clock of the file system and that of processes. */
    private static final Duration CLOCK_ERROR = Duration.ofSeconds(2);

    /**
     * Whether a directory is a domain.
     *
     * @param directory any
     * @return true when it has the files of one
     */
    public static boolean isDomain(final Path directory)
    {
        return Files.isRegularFile(directory.resolve("startwlevs.sh")) &&
            Files.isRegularFile(directory.resolve("config/config.xml"));
    }

    /**
     * The domains that lie in a directory.
     *
     * @param parent directory
     * @return sorted by name, numbers in their order; none when there is no such directory
     * @throws IOException when it cannot be read
     */
    public static List<Domain> below(final Path parent) throws IOException
    {
        if (!Files.isDirectory(parent))
        {
            return List.of();
        }
        try (Stream<Path> paths = Files.list(parent))
        {
            return paths.filter(path -> !path.getFileName().toString().startsWith(".")).filter(Domain::isDomain)
                .map(Domain::new).sorted(Comparator.comparing(domain -> sortKey(domain.name()))).toList();
        }
    }

    /** Puts {@code name2} in front of {@code name10}. */
    private static String sortKey(final String name)
    {
        return Pattern.compile("\\d{1,9}").matcher(name)
            .replaceAll(number -> String.format("%09d", Integer.parseInt(number.group())));
    }

    /**
     * The domain a user means.
     *
     * @param given named on the command line, or {@code null}
     * @return the one given; else the one of the current directory; else the only one that runs below the home
     *     directory; else the default one
     * @throws IOException      when directories cannot be read
     * @throws CommandException when it is none, or more than one comes into question
     */
    public static Domain find(final Path given) throws IOException
    {
        if (given != null)
        {
            if (!isDomain(given))
            {
                throw new CommandException(
                    ExitCode.USAGE, "CMD-0111", "not a domain directory, directory=" + given.toAbsolutePath(),
                    "it holds startwlevs.sh and config/config.xml; millrace domain create makes one");
            }
            return new Domain(given.toAbsolutePath().normalize());
        }
        final Path here = Path.of("").toAbsolutePath();
        if (isDomain(here))
        {
            return new Domain(here);
        }
        final Home home = Home.find();
        final List<Domain> running = home.listDomains().stream().filter(domain -> domain.pid().isPresent()).toList();
        if (running.size() > 1)
        {
            throw new CommandException(
                ExitCode.USAGE, "CMD-0112", "several instances are running, domains=" +
                running.stream().map(Domain::name).toList(), "name one with --domain DIR");
        }
        return running.isEmpty() ? new Domain(home.domains().resolve("defaultserver")) : running.get(0);
    }

    /**
     * The name of the directory.
     *
     * @return name
     */
    public String name()
    {
        return String.valueOf(directory.getFileName());
    }

    /**
     * The process of the instance.
     *
     * @return its id while it lives
     */
    public Optional<Long> pid()
    {
        return process().map(ProcessHandle::pid);
    }

    /**
     * The process of the instance. A number that another process has got since, or that came along when a running
     * domain was copied by hand, does not count.
     *
     * @return process while it lives
     */
    public Optional<ProcessHandle> process()
    {
        try
        {
            final Path file = directory.resolve("var/pid");
            final long pid = Long.parseLong(Files.readString(file).strip());
            final Instant written = Files.getLastModifiedTime(file).toInstant();
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(process -> isMine(process, written));
        }
        catch (final IOException | NumberFormatException e)
        {
            return Optional.empty();
        }
    }

    private boolean isMine(final ProcessHandle process, final Instant written)
    {
        final List<String> arguments = List.of(process.info().arguments().orElse(new String[0]));
        final Optional<Path> domain = arguments.stream().filter(argument -> argument.startsWith(DOMAIN_ARGUMENT))
            .map(argument -> Path.of(argument.substring(DOMAIN_ARGUMENT.length()))).findFirst();
        if (domain.isPresent())
        {
            return domain.get().equals(directory) || isSame(domain.get());
        }
        // The operating system shows no arguments, or not all of them.
        final boolean isComplete = !arguments.isEmpty() && String.join(" ", arguments).length() < SHOWN_ARGUMENTS;
        return !isComplete && process.info().startInstant().map(start -> start.minus(CLOCK_ERROR).isBefore(written))
            .orElse(true);
    }

    private boolean isSame(final Path other)
    {
        try
        {
            return Files.isSameFile(other, directory);
        }
        catch (final IOException e)
        {
            return false;
        }
    }

    /**
     * Where the management endpoint answers: what the running instance has written, else what is configured.
     *
     * @return address
     * @throws IOException when the configuration cannot be read
     */
    public String url() throws IOException
    {
        final Path written = directory.resolve(URL_FILE);
        return Files.isRegularFile(written) ? Files.readString(written).strip() : "http://127.0.0.1:" + netioPort();
    }

    /**
     * The port of the management endpoint, as written in the configuration.
     *
     * @return port
     * @throws IOException when the configuration cannot be read
     */
    public int netioPort() throws IOException
    {
        return ports().stream().filter(port -> "netio".equals(port.name())).findFirst().map(NamedPort::number)
            .orElseThrow(() -> new CommandException(
                ExitCode.FAILED, "CMD-0113", "no netio with a port, file=" +
                directory.resolve(DomainFiles.CONFIGURATION), "add one, see the default domain"));
    }

    /**
     * The ports of the instance, as written in its files.
     *
     * @return those of the start script first
     * @throws IOException when the files cannot be read
     */
    public List<NamedPort> ports() throws IOException
    {
        return DomainFiles.read(directory).ports();
    }

    /**
     * A client for the running instance with the credentials of whoever may read them.
     *
     * @return client
     * @throws IOException when the domain cannot be read
     */
    public ManagementClient client() throws IOException
    {
        return new ManagementClient(url(), token().map(token -> "Bearer " + token).orElse(""));
    }

    /**
     * The token of the running instance.
     *
     * @return token, or empty when no instance has run yet or the file may not be read
     */
    public Optional<String> token()
    {
        try
        {
            return Optional.of(Files.readString(directory.resolve(TOKEN_FILE)).strip()).filter(t -> !t.isEmpty());
        }
        catch (final IOException e)
        {
            return Optional.empty();
        }
    }
}
