package dev.millrace.adapter.kafka.property;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Descriptions of failures of Kafka's clients. */
@Timeout(60)
class KafkaFailureTest
{
    @Test
    void shouldJoinTheMessagesOfAllCausesAndNameThoseWithoutMessage()
    {
        final Exception failure = new KafkaException("Failed to create a client",
            new IOException("cannot read keys.p12", new ClosedChannelException()));

        assertThat(KafkaFailure.messages(failure)).isEqualTo(
            "Failed to create a client: cannot read keys.p12: java.nio.channels.ClosedChannelException");
    }

    @Test
    void shouldNotRepeatTheMessageOfACause()
    {
        final Exception cause = new IOException("cannot read keys.p12");

        assertThat(KafkaFailure.messages(new KafkaException(cause))).isEqualTo(
            "java.io.IOException: cannot read keys.p12");
    }
}
