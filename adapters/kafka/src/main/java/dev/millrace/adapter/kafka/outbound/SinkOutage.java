package dev.millrace.adapter.kafka.outbound;

import dev.millrace.adapter.common.source.Outage;
import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import dev.millrace.adapter.kafka.property.KafkaFailure;

/** Describes why records cannot be written at present. Not thread-safe. */
final class SinkOutage
{
    private final SinkSettings settings;
    private final Outage outage;

    SinkOutage(final SinkSettings settings, final Outage outage)
    {
        this.settings = settings;
        this.outage = outage;
    }

    /**
     * Records a failure.
     *
     * @return the time to wait before the next attempt, in milliseconds
     */
    int failed(final Throwable failure)
    {
        final KafkaErrorCode code = KafkaFailure.code(failure);
        final String at = ", stage=" + settings.stageName() + " topic=" + settings.topic() + " servers=" +
            settings.servers() + " reason=" + KafkaFailure.reason(failure);
        return outage.failed(code, switch (code)
        {
            case DENIED -> code.message(KafkaFailure.denied(failure, "write") + at,
                KafkaFailure.nextIfDenied(failure) + ": the rows wait");
            case AWAY -> code.message("the brokers do not respond, or the topic does not exist" + at,
                "start them, or create the topic: the rows wait");
            default -> code.message("records cannot be written" + at, "see the log of the brokers: the rows wait");
        });
    }

    /** Records that writing is possible. */
    void ended()
    {
        outage.ended();
    }
}
