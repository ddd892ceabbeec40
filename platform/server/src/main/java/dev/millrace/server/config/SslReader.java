package dev.millrace.server.config;

import dev.millrace.network.definition.SourcePosition;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Reads {@code ssl} elements. Not thread-safe. */
final class SslReader
{
    private static final String TLS_1_2 = "TLSv1.2";
    private static final String TLS_1_3 = "TLSv1.3";
    private static final List<String> PROTOCOLS = List.of(TLS_1_3, TLS_1_2);
    /** Versions that are not offered because they are broken; the permitted ones are used instead. */
    private static final Set<String> BROKEN = Set.of("SSL", "SSLv2", "SSLv3", "TLSv1", "TLSv1.1");

    private final Path domain;
    private final ConfigurationProblems problems;

    /** @param domain directory of the domain, where relative paths start */
    SslReader(final Path domain, final ConfigurationProblems problems)
    {
        this.domain = domain;
        this.problems = problems;
    }

    /** The children of an element, by name. */
    private static final class Values
    {
        private final Map<String, XmlElement> elements = new LinkedHashMap<>();
        private final List<String> cipherSuites = new ArrayList<>();

        private String text(final String name)
        {
            return elements.containsKey(name) && !elements.get(name).text().isEmpty() ? elements.get(name).text() :
                null;
        }
    }

    /** Returns the settings, {@code null} if they cannot be used, which is reported. */
    TlsSettings read(final XmlElement element)
    {
        final Values values = values(element);
        final TlsSettings.Store keys = store(values, "key-store", "key-store-pass");
        if (values.text("name") == null || keys == null)
        {
            problems.add("SRV-0158", element, "an ssl element has no name or no key store, name=" + values.text("name"),
                "add <name> and <key-store>, the path of a PKCS12 or JKS file");
            return null;
        }
        final XmlElement needsAuth = values.elements.get("need-client-auth");
        return new TlsSettings(values.text("name"), keys, values.text("key-store-alias"),
            algorithm(values.elements.get("key-manager-algorithm"), KeyManagerFactory::getInstance),
            store(values, "trust-store", "trust-store-pass"),
            algorithm(values.elements.get("trust-manager-algorithm"), TrustManagerFactory::getInstance),
            needsAuth != null && problems.truth(needsAuth, false), protocols(values.elements.get("ssl-protocol")),
            values.cipherSuites, element.position());
    }

    private Values values(final XmlElement element)
    {
        final Values values = new Values();
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "name", "key-store", "key-store-pass", "key-store-alias", "key-manager-algorithm",
                    "ssl-protocol", "trust-store", "trust-store-pass", "trust-manager-algorithm",
                    "need-client-auth" -> values.elements.put(child.name(), child);
                case "ciphers" -> child.children().forEach(cipher -> cipher(cipher, values.cipherSuites));
                case "enforce-fips" ->
                {
                    if (problems.truth(child, false))
                    {
                        problems.add("SRV-0163", child, "FIPS mode is not supported, element=" + child.name(),
                            "set it to false; the JDK can be configured with a FIPS provider");
                    }
                }
                case "key-store-type", "trust-store-type", "trust-store-alias", "secure-random-algorithm",
                    "secure-random-provider", "key-store-provider", "trust-store-provider", "ssl-provider",
                    "key-manager-provider", "trust-manager-provider" -> problems.addNotUsed(child);
                default -> problems.addUnknown(child);
            }
        }
        return values;
    }

    private void cipher(final XmlElement element, final List<String> cipherSuites)
    {
        if (!element.name().equals("cipher"))
        {
            problems.addUnknown(element);
        }
        else if (supported().contains(element.text()))
        {
            cipherSuites.add(element.text());
        }
        else
        {
            problems.add("SRV-0159", element, "this Java has no such cipher suite, cipher=" + element.text(),
                "remove it; without ciphers, all that are considered strong are permitted");
        }
    }

    private static Set<String> supported()
    {
        try
        {
            return Set.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
        }
        catch (final NoSuchAlgorithmException e)
        {
            throw new IllegalStateException("Java without TLS", e);
        }
    }

    private TlsSettings.Store store(final Values values, final String name, final String passwordName)
    {
        final String path = values.text(name);
        if (path == null)
        {
            return null;
        }
        final SourcePosition position = values.elements.get(name).position();
        final XmlElement password = values.elements.get(passwordName);
        return new TlsSettings.Store(domain.resolve(path).normalize(), password == null ? "" :
            problems.resolved(password.child("password").orElse(password)), position);
    }

    private List<String> protocols(final XmlElement element)
    {
        final String named = element == null ? "TLS" : element.text();
        if (named.equals("TLS") || PROTOCOLS.contains(named))
        {
            return named.equals("TLS") ? PROTOCOLS : List.of(named);
        }
        if (BROKEN.contains(named))
        {
            problems.addNotUsed(element);
        }
        else
        {
            problems.add("SRV-0105", element, "no such protocol, ssl-protocol=" + named,
                "use TLS for versions 1.3 and 1.2, or one of them: " + PROTOCOLS);
        }
        return PROTOCOLS;
    }

    /** Looks for an algorithm of managers. */
    private interface Lookup
    {
        Object find(String name) throws NoSuchAlgorithmException;
    }

    /** Returns a name, or {@code null} for the default. Files may name the algorithm of another vendor's Java. */
    private String algorithm(final XmlElement element, final Lookup lookup)
    {
        if (element == null)
        {
            return null;
        }
        try
        {
            lookup.find(element.text());
            return element.text();
        }
        catch (final NoSuchAlgorithmException ofOtherJava)
        {
            problems.addNotUsed(element);
            return null;
        }
    }
}
