package dev.millrace.command.instance;

import dev.millrace.adapter.loadgen.security.TlsContexts;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.management.ManagementClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import picocli.CommandLine.Option;

/** Options that select the instance and the user. */
public final class InstanceOptions
{
    /** Help of the option that selects a domain. */
    public static final String DOMAIN = "Domain directory of the instance. Default: the current directory if it is" +
        " one, else the running one below the home directory.";

    @Option(names = "--domain", paramLabel = "DIR", description = DOMAIN)
    private Path domain;

    @Option(
        names = {"--url", "-url"}, paramLabel = "URL",
        description = "Address of the instance, for example http://127.0.0.1:9002 or https://HOST:9003." +
            " Default: from the domain.")
    private String url;

    @Option(
        names = "--trusted-certificates", paramLabel = "PEM", defaultValue = "${env:MILLRACE_TRUSTED_CERTIFICATES}",
        description = "Certificates that are trusted for an https address. Default: those that Java trusts.")
    private Path trustedCertificates;

    @Option(
        names = {"--user", "-username"}, paramLabel = "NAME", defaultValue = "${env:MILLRACE_USER}",
        description = "User of config/users. Default: the token of the domain is used.")
    private String user;

    @Option(
        names = {"--password", "-password"}, paramLabel = "PASSWORD", defaultValue = "${env:MILLRACE_PASSWORD}",
        arity = "0..1", interactive = true,
        description = "Password of the user; prompted for without a value. Prefer MILLRACE_PASSWORD to this option.")
    private String password;

    /**
     * Returns the selected domain.
     *
     * @throws IOException when directories cannot be read
     */
    public Domain domain() throws IOException
    {
        return Domain.find(domain);
    }

    /**
     * Returns a client for the selected instance.
     *
     * @throws IOException when the domain cannot be read
     */
    public ManagementClient client() throws IOException
    {
        if (user != null && !user.isEmpty())
        {
            final String pair = user + ':' + (password == null ? "" : password);
            final String basic = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
            return client(url == null ? domain().url() : url, "Basic " + basic);
        }
        if (url != null && domain == null)
        {
            return client(url, tokenOfUrl());
        }
        final Domain found = domain();
        return url == null ? found.client() : client(url, bearer(found));
    }

    private ManagementClient client(final String address, final String authorization)
    {
        if (trustedCertificates == null || trustedCertificates.toString().isEmpty())
        {
            return new ManagementClient(address, authorization);
        }
        try
        {
            return new ManagementClient(address, authorization, TlsContexts.client(trustedCertificates));
        }
        catch (final IOException | GeneralSecurityException e)
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0126", "the certificates cannot be used, " +
                "trusted-certificates=" + trustedCertificates + " reason=" + e,
                "provide the certificate of the server in PEM: keytool -exportcert -rfc");
        }
    }

    /** Whether the instance is selected only by its address. */
    public boolean isAddressOnly()
    {
        return url != null && domain == null;
    }

    /** Whether the user specified the address or the credentials. */
    public boolean saysHow()
    {
        return url != null || user != null && !user.isEmpty();
    }

    private String tokenOfUrl() throws IOException
    {
        for (final Domain candidate : Domain.below(Home.find().domains()))
        {
            if (url.endsWith(":" + candidate.netioPort()))
            {
                return bearer(candidate);
            }
        }
        return "";
    }

    private static String bearer(final Domain domain)
    {
        return domain.token().map(token -> "Bearer " + token).orElse("");
    }
}
