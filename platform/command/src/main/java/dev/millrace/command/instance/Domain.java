package dev.millrace.command.instance;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.management.ManagementClient;
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
 * @param directory contains startwlevs.sh and config
 */
public record Domain(Path directory)
{
    /** File with the credentials of any user who can read it, written at each start of the instance. */
    public static final String TOKEN_FILE = "var/admin.token";

    /** File with the address of the management endpoint; it exists while the instance runs. */
    public static final String URL_FILE = "var/management.url";

    private static final String DOMAIN_ARGUMENT = "-Dwlevs.domain.home=";

    /** Some operating systems truncate longer command lines. */
    private static final int SHOWN_ARGUMENTS = 4_000;

    /** Maximum difference between the clock of the file system and that of processes. */
    private static final Duration CLOCK_ERROR = Duration.ofSeconds(2);

    /** Whether a directory contains the files of a domain. */
    public static boolean isDomain(final Path directory)
    {
        return Files.isRegularFile(directory.resolve("startwlevs.sh")) &&
            Files.isRegularFile(directory.resolve("config/config.xml"));
    }

    /**
     * Returns the domains in a directory.
     *
     * @return sorted by name, numbers in numeric order; empty when there is no such directory
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

    /** Sorts {@code name2} before {@code name10}. */
    private static String sortKey(final String name)
    {
        return Pattern.compile("\\d{1,9}").matcher(name)
            .replaceAll(number -> String.format("%09d", Integer.parseInt(number.group())));
    }

    /**
     * Returns the domain that the user selected.
     *
     * @param given directory on the command line, or {@code null}
     * @return the given domain; else that of the current directory; else the only running one below the home directory;
     *         else the default domain
     * @throws IOException      when directories cannot be read
     * @throws CommandException when it is not a domain, or when several are running
     */
    public static Domain find(final Path given) throws IOException
    {
        if (given != null)
        {
            if (!isDomain(given))
            {
                throw new CommandException(
                    ExitCode.USAGE, "CMD-0111", "not a domain directory, directory=" + given.toAbsolutePath(),
                    "a domain contains startwlevs.sh and config/config.xml; millrace domain create creates one");
            }
            return new Domain(given.toAbsolutePath().normalize());
        }
        final Path here = Path.of("").toAbsolutePath();
        if (isDomain(here))
        {
            return new Domain(here);
        }
        final Home home = Home.find();
        final List<Domain> running = below(home.domains()).stream().filter(domain -> domain.pid().isPresent()).toList();
        if (running.size() > 1)
        {
            throw new CommandException(
                ExitCode.USAGE, "CMD-0112", "several instances are running, domains=" +
                running.stream().map(Domain::name).toList(), "select one with --domain DIR");
        }
        return running.isEmpty() ? new Domain(home.domains().resolve("defaultserver")) : running.get(0);
    }

    /**
     * Resolves a directory given by the user: a simple name that is not a domain in the current directory is resolved
     * against the default directory.
     *
     * @return directory; may not exist
     */
    public static Path resolve(final Home home, final Path given)
    {
        final boolean plain = given.getNameCount() == 1 && !given.isAbsolute() && !given.startsWith(".") &&
            !given.startsWith("..");
        return plain && !isDomain(given) ? home.domains().resolve(given) : given.toAbsolutePath().normalize();
    }

    public String name()
    {
        return String.valueOf(directory.getFileName());
    }

    /** Returns the process id of the instance while it runs. */
    public Optional<Long> pid()
    {
        return process().map(ProcessHandle::pid);
    }

    /**
     * Returns the process of the instance while it runs. A stale process id, which another process has or which was
     * copied with a running domain, is ignored.
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
        // The operating system hides the arguments, or truncates them.
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
     * Returns the address of the management endpoint: the one that the running instance has published, or else the
     * configured one.
     *
     * @throws IOException when the configuration cannot be read
     */
    public String url() throws IOException
    {
        final Path written = directory.resolve(URL_FILE);
        return Files.isRegularFile(written) ? Files.readString(written).strip() : "http://127.0.0.1:" + netioPort();
    }

    /**
     * Returns the configured port of the management endpoint.
     *
     * @throws IOException when the configuration cannot be read
     */
    public int netioPort() throws IOException
    {
        return ports().stream().filter(port -> "netio".equals(port.name())).findFirst().map(NamedPort::number)
            .orElseThrow(() -> new CommandException(
                ExitCode.FAILED, "CMD-0113", "no netio with a port, file=" +
                directory.resolve(DomainFiles.CONFIGURATION), "add one; see the default domain"));
    }

    /**
     * Returns the configured ports of the instance, those of the start script first.
     *
     * @throws IOException when the files cannot be read
     */
    public List<NamedPort> ports() throws IOException
    {
        return DomainFiles.read(directory).ports();
    }

    /**
     * Returns a client for the running instance, with the credentials in its token file.
     *
     * @throws IOException when the domain cannot be read
     */
    public ManagementClient client() throws IOException
    {
        return new ManagementClient(url(), token().map(token -> "Bearer " + token).orElse(""));
    }

    /** Returns the token of the running instance; empty when no instance has run yet or the file cannot be read. */
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
