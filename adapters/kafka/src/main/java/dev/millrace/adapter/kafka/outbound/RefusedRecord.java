package dev.millrace.adapter.kafka.outbound;

import org.apache.kafka.clients.producer.ProducerRecord;

/** A row that cannot be encoded, in the place of its record. It is never sent. Immutable. */
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
