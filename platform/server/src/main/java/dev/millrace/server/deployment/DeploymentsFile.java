package dev.millrace.server.deployment;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.config.XmlElement;
import dev.millrace.server.files.DomainFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.Set;

/**
 * {@code deployments.xml}: the deployed applications and their desired run states. Every change writes a new file that
 * atomically replaces the old one, so that a crash leaves one or the other. Confined to one thread at a time.
 */
final class DeploymentsFile
{
    static final Set<String> NAMESPACES =
        Set.of("http://www.bea.com/ns/wlevs/deployment", "https://millrace.dev/ns/deployment");

    /** Default limit for the start of an application. */
    static final long START_NS = TimeUnit.SECONDS.toNanos(30);

    private static final String HOME = "${wlevs.domain.home}";

    private static final String START = "start";

    private static final String SUSPEND = "suspend";

    /** Seconds that the application may take to start; omitted for the default limit. */
    private static final String START_TIMEOUT = "start-timeout";

    private final DomainFiles files;

    private final Path domain;

    private final Path file;

    DeploymentsFile(final DomainFiles files, final Path domain)
    {
        this.files = files;
        this.domain = domain;
        this.file = domain.resolve("deployments.xml");
    }

    /**
     * A deployed application.
     *
     * @param jar       its bundle
     * @param suspended desired state: suspended
     * @param startNs   limit for its start
     */
    record Deployment(String name, Path jar, boolean suspended, long startNs)
    {
        Deployment withSuspended(final boolean next)
        {
            return new Deployment(name, jar, next, startNs);
        }

        Deployment withStartNs(final long nextNs)
        {
            return new Deployment(name, jar, suspended, nextNs);
        }
    }

    Map<String, Deployment> read() throws IOException, DeploymentException
    {
        final Map<String, Deployment> deployments = new LinkedHashMap<>();
        if (!Files.exists(file))
        {
            return deployments;
        }
        final XmlElement root;
        try (InputStream in = Files.newInputStream(file))
        {
            root = XmlElement.read(in, file.toString());
        }
        for (final XmlElement element : root.children())
        {
            if (element.name().equals("bean"))
            {
                // OEP's files declare the placeholder configurer for the domain's home here; the server replaces it
                // itself.
                continue;
            }
            if (!element.name().equals("deployment") || !NAMESPACES.contains(element.namespace()))
            {
                throw new DeploymentException("SRV-0220", element.position(), "unknown element, name="
                    + element.name() + " namespace=" + element.namespace(),
                    "applications are deployed with millrace app install; this file is written by the server");
            }
            final Deployment deployment = deployment(element);
            if (deployments.put(deployment.name(), deployment) != null)
            {
                throw new DeploymentException("SRV-0220", element.position(), "two deployments have the same id, id="
                    + deployment.name(), "remove one");
            }
        }
        return deployments;
    }

    private Deployment deployment(final XmlElement element) throws DeploymentException
    {
        final String id = element.attribute("id");
        final String state = element.attribute("state");
        final String location = element.attribute("location");
        if (id.isEmpty() || location.isEmpty() || !state.equals(START) && !state.equals(SUSPEND))
        {
            throw new DeploymentException("SRV-0220", element.position(),
                "deployment is incomplete or has an invalid state, id=" + id
                + " state=" + state + " location=" + location, "state is start or suspend, location is a file: URL");
        }
        final String path = location.replaceFirst("^file:(//(?=/))?", "").replace(HOME, domain.toString());
        return new Deployment(id, domain.resolve(path).normalize(), state.equals(SUSPEND), startNs(element));
    }

    private static long startNs(final XmlElement element) throws DeploymentException
    {
        final String seconds = element.attribute(START_TIMEOUT);
        if (seconds.isEmpty())
        {
            return START_NS;
        }
        if (!seconds.matches("[1-9]\\d{0,3}"))
        {
            throw new DeploymentException("SRV-0220", element.position(), "not a valid start timeout, "
                + START_TIMEOUT + '=' + seconds, "specify seconds, or omit the attribute");
        }
        return TimeUnit.SECONDS.toNanos(Long.parseLong(seconds));
    }

    void write(final Collection<Deployment> deployments) throws IOException
    {
        final StringBuilder text = new StringBuilder(512);
        text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
            .append("<!-- Written by the server. Use millrace app to change deployments. -->\n")
            .append("<beans xmlns=\"http://www.springframework.org/schema/beans\"\n")
            .append("       xmlns:wlevs=\"http://www.bea.com/ns/wlevs/deployment\">\n");
        for (final Deployment deployment : deployments)
        {
            final String location = deployment.jar().startsWith(domain)
                ? HOME + '/' + domain.relativize(deployment.jar()) : deployment.jar().toString();
            text.append("  <wlevs:deployment id=\"").append(escape(deployment.name())).append("\" state=\"")
                .append(deployment.suspended() ? SUSPEND : START).append("\" location=\"file:")
                .append(escape(location)).append('"');
            if (deployment.startNs() != START_NS)
            {
                text.append(' ').append(START_TIMEOUT).append("=\"")
                    .append(TimeUnit.NANOSECONDS.toSeconds(deployment.startNs())).append('"');
            }
            text.append("/>\n");
        }
        text.append("</beans>\n");
        files.replace(file, text.toString());
    }

    private static String escape(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
