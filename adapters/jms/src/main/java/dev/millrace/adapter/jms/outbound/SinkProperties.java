package dev.millrace.adapter.jms.outbound;

import dev.millrace.adapter.common.encode.FormatProperties;
import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.jms.connect.AllowedNames;
import dev.millrace.adapter.jms.connect.ConnectionProperties;
import dev.millrace.adapter.jms.connect.JmsErrorCode;
import dev.millrace.api.secret.NamedSecrets;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Message;
import java.util.Locale;

/** The instance properties of a sink as set, and their validation. Not thread-safe. */
final class SinkProperties
{
    private static final int MAX_PRIORITY = 9;
    private static final int MAX_MILLIS = 3_600_000;

    final ConnectionProperties connection = new ConnectionProperties();
    final FormatProperties format = new FormatProperties();
    boolean sessionTransacted = true;
    String deliveryMode = "persistent";
    int priority = Message.DEFAULT_PRIORITY;
    long timeToLiveMillis;
    String messageType = "text";
    String formatName = "json";
    int maxRetryMillis = 10_000;

    SinkProperties()
    {
        format.header = false;
    }

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SinkSettings check(
        final String application, final String stage, final AllowedNames allowed, final NamedSecrets secrets)
    {
        final PropertyCheck check = new PropertyCheck(JmsErrorCode.PROPERTY, application + '/' + stage);
        check.range("priority", priority, 0, MAX_PRIORITY);
        check.range("timeToLiveMillis", timeToLiveMillis, 0, Long.MAX_VALUE);
        check.range("maxRetryMillis", maxRetryMillis, 1, MAX_MILLIS);
        final String mode = deliveryMode.strip().toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
        return new SinkSettings(check.stageName(), connection.check(check, allowed, secrets),
            connection.checkDestination(check), sessionTransacted,
            check.is("deliveryMode", mode, "nonpersistent", "persistent") ? DeliveryMode.NON_PERSISTENT :
            DeliveryMode.PERSISTENT, priority, timeToLiveMillis,
            check.choice(MessageType.class, "messageType", messageType, "use text, bytes or map"),
            check.is("format", formatName, "csv", "json"), format.check(check), maxRetryMillis);
    }
}
