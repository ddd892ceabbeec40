package dev.millrace.command;

import dev.millrace.api.secret.SecretException;
import dev.millrace.api.secret.SecretException.Reason;
import dev.millrace.api.secret.SecretKeys;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.DomainSecrets;
import dev.millrace.command.instance.InstanceOptions;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Encrypts secrets of {@code config.xml}, and changes the key of a domain. */
@Command(
    name = "secret",
    description = "Encrypts passwords for config.xml with the key of a domain, and changes that key.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    footer = {
        "",
        "Examples:",
        "  millrace secret encrypt --domain /srv/market                 asks for the secret",
        "  pass show database | millrace secret encrypt --domain /srv/market",
        "  millrace secret rekey --domain /srv/market"})
final class SecretCommand implements Runnable
{
    private static final int MAX_CHARS = 4_096;

    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(
        name = "encrypt", mixinStandardHelpOptions = true,
        description = {"Prints an encrypted secret for config.xml, for example for the <value> of a data source's"
            + " password.",
            "The secret is read from the terminal without echo, or from one line of standard input. The first"
                + " call creates the key file config/secret.key, readable only by its owner."},
        footer = {"", "Example:", "  millrace secret encrypt --domain /srv/market"})
    void encrypt(@Option(names = "--domain", paramLabel = "DIR",
    description = InstanceOptions.DOMAIN) final Path domain)
        throws IOException
    {
        final DomainSecrets secrets = new DomainSecrets(Domain.find(domain).directory());
        final SecretKeys keys = keys(secrets, true);
        final String secret = read();
        if (secret == null || secret.isEmpty() || secret.length() > MAX_CHARS)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0220", "invalid length of a secret, chars="
                + (secret == null ? 0 : secret.length()), "specify one line of 1 to " + MAX_CHARS + " characters");
        }
        out().println(keys.encrypt(secret));
        out().flush();
    }

    @Command(
        name = "rekey", mixinStandardHelpOptions = true,
        description = {"Creates a new key, encrypts all secrets of config.xml again and deletes the old key.",
            "The command may be interrupted and repeated. The instance uses the new key from its next start."},
        footer = {"", "Example:", "  millrace secret rekey --domain /srv/market"})
    void rekey(@Option(names = "--domain", paramLabel = "DIR", description = InstanceOptions.DOMAIN) final Path domain)
        throws IOException
    {
        final DomainSecrets secrets = new DomainSecrets(Domain.find(domain).directory());
        final SecretKeys keys = keys(secrets, false);
        try
        {
            out().println("encrypted again: " + secrets.rekey(keys) + ", key file " + secrets.keyFile());
            out().flush();
        }
        catch (final SecretException e)
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0222",
                e.getMessage() + ", file=" + secrets.configuration(),
                "encrypt that secret again with millrace secret encrypt; both keys are in the key file, nothing is"
                    + " lost");
        }
    }

    private SecretKeys keys(final DomainSecrets secrets, final boolean make) throws IOException
    {
        try
        {
            if (make && Files.notExists(secrets.keyFile()))
            {
                SecretKeys.random().write(secrets.keyFile());
                spec.commandLine().getErr().println("key file created: " + secrets.keyFile());
                spec.commandLine().getErr().flush();
            }
            return SecretKeys.read(secrets.keyFile());
        }
        catch (final SecretException e)
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0221", e.getMessage(),
                e.reason() == Reason.WIDE_MODE ? "chmod 600 " + secrets.keyFile()
                    : e.reason() == Reason.NO_KEY ? "millrace secret encrypt creates one"
                    : "restore the key file of this domain from a copy");
        }
    }

    private static String read() throws IOException
    {
        // Later versions of Java return a console even when input comes from a pipe, and would show a prompt.
        System.setProperty("jdk.console", "java.base");
        final Console console = System.console();
        if (console == null)
        {
            return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        }
        final char[] first = console.readPassword("secret: ");
        final char[] second = console.readPassword("again: ");
        if (!Arrays.equals(first, second))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0223", "the two secrets differ", "try again");
        }
        return first == null ? null : new String(first);
    }

    private PrintWriter out()
    {
        return spec.commandLine().getOut();
    }
}
