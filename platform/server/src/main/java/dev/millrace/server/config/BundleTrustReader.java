package dev.millrace.server.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads {@code <bundles>}. Not thread-safe; used once. */
final class BundleTrustReader
{
    private static final String HINT = "specify a PEM file of certificates, created for example with keytool"
        + " -exportcert -rfc";

    private final Path directory;

    private final ConfigurationProblems problems;

    /** Paths in the configuration are relative to the directory. */
    BundleTrustReader(final Path directory, final ConfigurationProblems problems)
    {
        this.directory = directory;
        this.problems = problems;
    }

    BundleTrust read(final XmlElement element)
    {
        boolean isRequired = false;
        Set<X509Certificate> certificates = Set.of();
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "signature" -> isRequired = isRequired(child);
                case "trusted-certificates" -> certificates = certificates(child);
                default -> problems.addUnknown(child);
            }
        }
        if (isRequired && element.child("trusted-certificates").isEmpty())
        {
            problems.add("SRV-0147", element, "a signature is required, but no certificate is trusted",
                "add trusted-certificates with the name of a PEM file");
        }
        return new BundleTrust(isRequired, certificates);
    }

    private boolean isRequired(final XmlElement element)
    {
        if (!Set.of("required", "optional").contains(element.text()))
        {
            problems.add("SRV-0149", element, "invalid value, not required or optional, signature=" + element.text(),
                "use required to reject bundles without a trusted signature");
        }
        return element.text().equals("required");
    }

    private Set<X509Certificate> certificates(final XmlElement element)
    {
        final Path file = directory.resolve(problems.resolved(element));
        try (InputStream in = Files.newInputStream(file))
        {
            final Set<X509Certificate> found = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                .map(X509Certificate.class::cast).collect(Collectors.toSet());
            if (!found.isEmpty())
            {
                return found;
            }
            problems.add("SRV-0150", element, "the file contains no certificate, file=" + file, HINT);
        }
        catch (final IOException | CertificateException e)
        {
            problems.add("SRV-0151", element, "certificates cannot be read, file=" + file + " reason=" + e, HINT);
        }
        return Set.of();
    }
}
