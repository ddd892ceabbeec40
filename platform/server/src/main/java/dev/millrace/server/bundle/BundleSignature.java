package dev.millrace.server.bundle;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.config.BundleTrust;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.CodeSigner;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the signature of a signed bundle: every entry must be signed and unchanged. If signatures are required, every
 * entry must also be signed by a trusted signer: the signer's certificate, or that of one of its issuers, must be
 * trusted.
 */
final class BundleSignature
{
    private static final Pattern SIGNATURE_FILE = Pattern.compile("(?i)META-INF/([^/]+\\.(SF|RSA|DSA|EC)|SIG-[^/]*)");

    private static final String MANIFEST = JarFile.MANIFEST_NAME;

    private static final Logger LOG = LoggerFactory.getLogger(BundleSignature.class);

    private static final int BUFFER_BYTES = 64 << 10;

    private final String shownName;

    private final BundleTrust trust;

    BundleSignature(final String shownName, final BundleTrust trust)
    {
        this.shownName = shownName;
        this.trust = trust;
    }

    void check(final Path file) throws IOException, DeploymentException
    {
        try (JarFile jar = new JarFile(file.toFile(), true))
        {
            final List<JarEntry> entries = Collections.list(jar.entries());
            final boolean isSigned =
                entries.stream().anyMatch(entry -> SIGNATURE_FILE.matcher(entry.getName()).matches());
            if (!isSigned && trust.isRequired())
            {
                throw refused("SRV-0245", "the bundle is not signed, but config.xml requires a signature",
                    "sign it with jarsigner and a certificate that is trusted on this instance");
            }
            if (isSigned)
            {
                for (final JarEntry entry : entries)
                {
                    check(jar, entry);
                }
            }
        }
        catch (final SecurityException e)
        {
            throw new DeploymentException(List.of(problem("reason=" + e.getMessage())), e);
        }
    }

    private void check(final JarFile jar, final JarEntry entry)
        throws IOException, DeploymentException
    {
        final String name = entry.getName();
        if (entry.isDirectory() || name.equalsIgnoreCase(MANIFEST) || SIGNATURE_FILE.matcher(name).matches())
        {
            return;
        }
        final byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = jar.getInputStream(entry))
        {
            while (in.read(buffer) >= 0)
            {
                // The signers of an entry are known, and its digest is verified, only after it was read.
            }
        }
        final CodeSigner[] signers = entry.getCodeSigners();
        if (signers == null || signers.length == 0)
        {
            throw new DeploymentException(
                List.of(problem("unsigned=" + name.replaceAll("\\p{Cntrl}", "?"))));
        }
        if (trust.isRequired() && Stream.of(signers).noneMatch(this::isTrusted))
        {
            throw refused("SRV-0246", "no trusted signer has signed the bundle, signer="
                + ((X509Certificate)signers[0].getSignerCertPath().getCertificates().get(0))
                    .getSubjectX500Principal(), "sign it with a certificate that is trusted, or add this one to the "
                + "trusted-certificates of config.xml");
        }
    }

    private DeploymentException refused(final String code, final String text, final String hint)
    {
        return new DeploymentException(code, new SourcePosition(shownName, 0, 0), text, hint);
    }

    private boolean isTrusted(final CodeSigner signer)
    {
        final List<X509Certificate> path = new ArrayList<>();
        signer.getSignerCertPath().getCertificates().forEach(each -> path.add((X509Certificate)each));
        try
        {
            if (trust.certificates().contains(path.get(0)))
            {
                path.get(0).checkValidity();
                return true;
            }
            // The path from the signer to the authority must be validated; the authority itself is not part of it.
            path.removeIf(trust.certificates()::contains);
            final PKIXParameters parameters = new PKIXParameters(trust.certificates().stream()
                .map(certificate -> new TrustAnchor(certificate, null)).collect(Collectors.toSet()));
            parameters.setRevocationEnabled(false);
            CertPathValidator.getInstance("PKIX").validate(
                CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
            return true;
        }
        catch (final GeneralSecurityException e)
        {
            LOG.warn("signer is not trusted, bundle={} signer={} reason={}", shownName,
                path.get(0).getSubjectX500Principal(), e.toString());
            return false;
        }
    }

    private Problem problem(final String detail)
    {
        return new Problem("SRV-0244", new SourcePosition(shownName, 0, 0),
            "the signature of the bundle is invalid, " + detail,
            "sign the bundle again after the last change, or remove the signature files from META-INF", "");
    }
}
