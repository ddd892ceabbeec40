package dev.millrace.adapter.kafka.outbound;

import org.apache.kafka.clients.producer.ProducerRecord;

/** Replaces the record of a row that cannot be encoded, and is never sent. Immutable. */
final class RefusedRecord extends ProducerRecord<byte[], byte[]>
{
    private final String reason;

    RefusedRecord(final String topic, final String reason)
    {
        super(topic, null);
        this.reason = reason;
    }

    String reason()
    {
        return reason;
    }
}
