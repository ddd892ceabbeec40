package dev.millrace.adapter.http.outbound;

import dev.millrace.adapter.common.encode.FormatProperties;
import dev.millrace.adapter.common.encode.FormatSettings;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.Mappers;
import dev.millrace.api.secret.NamedSecrets;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;

/** The instance properties of a sink as set, and their validation. Not thread-safe. */
final class SinkProperties
{
    private static final int MAX_ROWS = 65_535;
    private static final int MAX_MILLIS = 3_600_000;

    final FormatProperties format = new FormatProperties();
    final Mappers mappers = new Mappers();
    String url;
    String method = "POST";
    String body;
    String tokenSecret;
    String user;
    String passwordSecret;
    int batchRows = 256;
    int timeoutMillis = 10_000;
    int maxRetryMillis = 10_000;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SinkSettings check(final String application, final String stage, final NamedSecrets secrets)
    {
        final PropertyCheck check = new PropertyCheck(HttpErrorCode.PROPERTY, application + '/' + stage);
        check.require("method", method, method.equals("POST") || method.equals("PUT"), "use POST or PUT");
        check.range("batchRows", batchRows, 1, MAX_ROWS);
        check.range("timeoutMillis", timeoutMillis, 1, MAX_MILLIS);
        check.range("maxRetryMillis", maxRetryMillis, 1, MAX_MILLIS);
        check.require("passwordSecret", passwordSecret, (user == null) == (passwordSecret == null),
            "set both user and passwordSecret, or none of them");
        check.require("tokenSecret", tokenSecret, tokenSecret == null || user == null,
            "set tokenSecret, or user and passwordSecret");
        final BodyFormat checkedBody = body(check);
        final String file = stage.replaceAll("[^\\p{Alnum}._-]", "_");
        return new SinkSettings(check, url(check), method, checkedBody, format(check, checkedBody),
            authorization(check, secrets), checkedBody.isSingle() ? 1 : batchRows, timeoutMillis,
            maxRetryMillis, check.path("numbers", "var/state/" + application + '/' + file + ".numbers"),
            (application + '/' + file).replaceAll("[^\\p{Alnum}._/-]", "_"));
    }

    private BodyFormat body(final PropertyCheck check)
    {
        final Set<Mappers.Format> mapped = mappers.formats(check);
        check.require("body", String.valueOf(body), mapped.size() < 2, "set only one of the mappers");
        final BodyFormat checked = body == null ? BodyFormat.valueOf(
            mapped.stream().findFirst().orElse(Mappers.Format.JSON).name()) :
            check.choice(BodyFormat.class, "body", body, "use json, object, lines, csv, xml or element");
        mapped.forEach(format -> check.require("body", body, checked.mapper() == format,
            "use a body of the mapper " + format.property() + ", or remove the mapper"));
        return checked;
    }

    private FormatSettings format(final PropertyCheck check, final BodyFormat checkedBody)
    {
        final FormatSettings checked = format.check(check);
        name(check, checkedBody, "timeColumn", checked.timeColumn());
        name(check, checkedBody, "kindColumn", checked.kindColumn());
        return checked;
    }

    private static void name(final PropertyCheck check, final BodyFormat body, final String property,
        final String column)
    {
        check.require(property, column, column == null || body.mapper() != Mappers.Format.XML ||
            XmlFormat.isName(column), "use a name that XML elements can have");
    }

    private URI url(final PropertyCheck check)
    {
        try
        {
            final URI parsed = url == null ? null : new URI(url.strip());
            if (parsed != null && parsed.getHost() != null && parsed.getUserInfo() == null &&
                ("http".equals(parsed.getScheme()) || "https".equals(parsed.getScheme())))
            {
                return parsed;
            }
        }
        catch (final URISyntaxException e)
        {
            // Reported below.
        }
        throw check.wrong("url", url, "use a URL such as https://host.example.org/orders without credentials");
    }

    private String authorization(final PropertyCheck check, final NamedSecrets secrets)
    {
        if (tokenSecret != null)
        {
            return "Bearer " + secret(check, secrets, "tokenSecret", tokenSecret);
        }
        return user == null ? null : "Basic " + Base64.getEncoder().encodeToString(
            (user + ':' + secret(check, secrets, "passwordSecret", passwordSecret)).getBytes(StandardCharsets.UTF_8));
    }

    private static String secret(final PropertyCheck check, final NamedSecrets secrets, final String property,
        final String name)
    {
        final String secret = secrets.secret(name);
        if (secret == null)
        {
            throw new IllegalArgumentException(HttpErrorCode.SECRET.message("a secret is unknown, stage=" +
                check.stageName() + ' ' + property + '=' + name, "add <secret><name>" + name + "</name><value>{AES}" +
                "...</value></secret> to config.xml (millrace secret encrypt), and restart the server"));
        }
        return secret;
    }
}
