package dev.millrace.adapter.jms.inbound;

import dev.millrace.adapter.common.decode.PayloadFormat;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.jms.connect.AllowedNames;
import dev.millrace.adapter.jms.connect.ConnectionProperties;
import dev.millrace.adapter.jms.connect.DestinationSettings;
import dev.millrace.adapter.jms.connect.JmsErrorCode;
import dev.millrace.api.secret.NamedSecrets;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The instance properties of a source as set, and their validation. Not thread-safe. */
final class SourceProperties
{
    private static final Logger LOG = LoggerFactory.getLogger(SourceProperties.class);
    private static final int MAX_MILLIS = 3_600_000;
    private static final int MAX_MESSAGES = 100_000;
    private static final int MIN_BYTES = 16;
    private static final int MAX_BYTES = 16 << 20;

    final ConnectionProperties connection = new ConnectionProperties();
    String messageSelector;
    String subscriptionName;
    boolean subscriptionShared;
    boolean sessionTransacted = true;
    String sessionAckModeName;
    int transactionMessages = 1_000;
    int storedMillis = 30_000;
    String deadLetterName;
    String deadLetterType = "QUEUE";
    String format = "json";
    String columns;
    String messageIdColumn;
    boolean header;
    String separator = ",";
    String nullText;
    String missing = "reject";
    String charset = "UTF-8";
    int maxMessageBytes = 1 << 20;
    int maxRetryMillis = 10_000;
    String numberFile;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SourceSettings check(
        final String application, final String stage, final AllowedNames allowed, final NamedSecrets secrets)
    {
        final PropertyCheck check = new PropertyCheck(JmsErrorCode.PROPERTY, application + '/' + stage);
        check.range("transactionMessages", transactionMessages, 1, MAX_MESSAGES);
        check.range("storedMillis", storedMillis, 1, MAX_MILLIS);
        check.range("maxMessageBytes", maxMessageBytes, MIN_BYTES, MAX_BYTES);
        check.range("maxRetryMillis", maxRetryMillis, 1, MAX_MILLIS);
        final char checkedSeparator = check.separator(separator);
        check.require("separator", separator, checkedSeparator < 128, "use an ASCII character");
        final DestinationSettings destination = connection.checkDestination(check);
        check.require("subscriptionName", subscriptionName, subscriptionName != null || !subscriptionShared,
            "name the subscription that is shared");
        check.require("clientId", connection.clientId, subscriptionName == null || subscriptionShared ||
            connection.clientId != null, "set it: a subscription that is not shared belongs to a client");
        check.require("subscriptionName", subscriptionName,
            subscriptionName == null || destination.jndiName() != null || destination.isTopic(),
            "set destinationType to TOPIC");
        return new SourceSettings(check.stageName(), connection.check(check, allowed, secrets), destination,
            deadLetters(check), messageSelector == null || messageSelector.isBlank() ? null : messageSelector,
            subscriptionName, subscriptionShared, acknowledgement(check), transactionMessages, storedMillis,
            check.choice(PayloadFormat.class, "format", format, "use json, jsonlines or csv"),
            check.names("columns", columns, "list properties, separated by commas; - skips a field of CSV"),
            messageIdColumn, header, checkedSeparator, nullText, check.is("missing", missing, "null", "reject"),
            charset(check), maxMessageBytes, maxRetryMillis, check.path("numberFile", numberFile != null ? numberFile :
                "var/state/" + application + '/' + stage.replaceAll("[^\\p{Alnum}._-]", "_") + ".messages"));
    }

    private DestinationSettings deadLetters(final PropertyCheck check)
    {
        return deadLetterName == null ? null : new DestinationSettings(null, deadLetterName,
            check.is("deadLetterType", deadLetterType.toLowerCase(Locale.ROOT), "topic", "queue"));
    }

    private Acknowledgement acknowledgement(final PropertyCheck check)
    {
        if (sessionTransacted)
        {
            check.require("sessionAckModeName", sessionAckModeName, sessionAckModeName == null,
                "remove it, or set sessionTransacted to false");
            return Acknowledgement.TRANSACTED;
        }
        final String name = sessionAckModeName == null ? "AUTO_ACKNOWLEDGE" : sessionAckModeName.strip();
        final Acknowledgement mode = check.choice(Acknowledgement.class, "sessionAckModeName",
            name.toLowerCase(Locale.ROOT), "use CLIENT_ACKNOWLEDGE, AUTO_ACKNOWLEDGE or DUPS_OK_ACKNOWLEDGE");
        if (!mode.isSafe())
        {
            LOG.warn(JmsErrorCode.UNSAFE.message("messages are acknowledged before their rows are received, stage=" +
                check.stageName() + " sessionAckModeName=" + name, "set sessionTransacted to true if a killed " +
                "process must not lose messages"));
        }
        return mode;
    }

    private Charset charset(final PropertyCheck check)
    {
        try
        {
            return Charset.forName(charset.strip());
        }
        catch (final IllegalCharsetNameException | UnsupportedCharsetException e)
        {
            throw check.wrong("charset", charset, "use a charset such as UTF-8 or ISO-8859-1");
        }
    }
}
