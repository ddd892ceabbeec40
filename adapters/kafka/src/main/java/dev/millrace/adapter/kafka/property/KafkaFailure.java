package dev.millrace.adapter.kafka.property;

import java.util.StringJoiner;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SslAuthenticationException;

/** Classifies failures of Kafka's clients. */
public final class KafkaFailure
{
    private KafkaFailure()
    {
    }

    /** The code of a failure after which the client may succeed later. */
    public static KafkaErrorCode code(final Throwable failure)
    {
        if (find(failure, AuthenticationException.class) != null || find(failure, AuthorizationException.class) != null)
        {
            return KafkaErrorCode.DENIED;
        }
        // The name of a broker cannot be resolved at present; other properties are checked at deployment.
        return find(failure, RetriableException.class) != null || find(failure, ConfigException.class) != null ?
            KafkaErrorCode.AWAY : KafkaErrorCode.BROKER;
    }

    /** Text of a failure with the code {@link KafkaErrorCode#DENIED}. */
    public static String denied(final Throwable failure, final String right)
    {
        return find(failure, SslAuthenticationException.class) == null ?
            "the brokers reject the login or the right to " + right :
            "the certificates of the brokers or of the client are not accepted";
    }

    /** The hint for failures with the code {@link KafkaErrorCode#DENIED}. */
    public static String nextIfDenied(final Throwable failure)
    {
        return find(failure, SslAuthenticationException.class) == null ?
            "correct clientProperties or the access control lists" :
            "correct ssl.truststore and ssl.keystore in clientProperties, or the names in the certificates";
    }

    /** The failure or its next cause of a type; {@code null} if it has no such cause. */
    public static <E extends Throwable> E find(final Throwable failure, final Class<E> type)
    {
        Throwable cause = failure;
        while (cause != null && !type.isInstance(cause))
        {
            cause = cause.getCause();
        }
        return type.cast(cause);
    }

    /** The messages of a failure and of all its causes, the last of which often is the one that helps. */
    public static String messages(final Throwable failure)
    {
        final StringJoiner messages = new StringJoiner(": ");
        String last = "";
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
        {
            final String message = cause.getMessage() == null ? cause.getClass().getName() : cause.getMessage();
            if (!last.contains(message))
            {
                messages.add(message);
            }
            last = message;
        }
        return messages.toString();
    }

    /** The failure and its cause as text. */
    public static String reason(final Throwable failure)
    {
        return failure.getCause() == null ? failure.toString() : failure + ", " + failure.getCause();
    }
}
