package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.kafka.property.KafkaErrorCode;

/** A source cannot read at present; it tries again later. */
final class SourceException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final KafkaErrorCode code;

    SourceException(final KafkaErrorCode code, final String fact, final String next)
    {
        super(code.message(fact, next));
        this.code = code;
    }

    KafkaErrorCode code()
    {
        return code;
    }
}
