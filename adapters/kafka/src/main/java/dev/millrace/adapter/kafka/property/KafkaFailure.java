package dev.millrace.adapter.kafka.property;

import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;

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

    /** The failure and its cause as text. */
    public static String reason(final Throwable failure)
    {
        return failure.getCause() == null ? failure.toString() : failure + ", " + failure.getCause();
    }
}
