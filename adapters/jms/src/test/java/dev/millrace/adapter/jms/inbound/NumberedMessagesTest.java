package dev.millrace.adapter.jms.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which rows of a message that arrives again are skipped. */
@Timeout(60)
class NumberedMessagesTest
{
    @TempDir
    private Path directory;
    private Path file;

    @BeforeEach
    void nameFile()
    {
        file = directory.resolve("state/app/jms.messages");
    }

    private NumberedMessages open(final long received) throws IOException
    {
        final NumberedMessages messages = new NumberedMessages(file);
        messages.openFile();
        messages.reopen(received);
        return messages;
    }

    @Test
    void shouldSkipTheRowsThatWereStoredAfterTheEndOfTheProcess() throws Exception
    {
        try (NumberedMessages messages = open(0))
        {
            messages.begin("a", 101);
            messages.begin("b", 111);
            messages.begin("c", 121);
            messages.write();
        }
        try (NumberedMessages messages = open(114))
        {
            assertThat(messages.begin("c", 1001)).isZero();
            assertThat(messages.begin("b", 1011)).isEqualTo(4);
            assertThat(messages.begin("a", 1017)).isGreaterThanOrEqualTo(10);
            assertThat(messages.begin("d", 1017)).isZero();
        }
    }

    @Test
    void shouldNotSkipMoreRowsAfterLaterOnesWereStored() throws Exception
    {
        try (NumberedMessages messages = open(0))
        {
            messages.begin("a", 101);
            messages.write();
        }
        try (NumberedMessages messages = open(103))
        {
            messages.begin("other", 1001);
            messages.write();
        }
        try (NumberedMessages messages = open(5000))
        {
            assertThat(messages.begin("a", 6001)).isEqualTo(3);
        }
    }

    @Test
    void shouldAddTheRowsOfEachAttempt() throws Exception
    {
        try (NumberedMessages messages = open(0))
        {
            messages.begin("a", 101);
            messages.reopen(103);
            assertThat(messages.begin("a", 201)).isEqualTo(3);
            messages.write();
        }
        try (NumberedMessages messages = open(202))
        {
            assertThat(messages.begin("a", 301)).isEqualTo(5);
        }
    }

    @Test
    void shouldForgetMessagesWhoseTransactionHasEnded() throws Exception
    {
        try (NumberedMessages messages = open(0))
        {
            messages.begin("a", 1);
            messages.write();
            messages.committed();
            messages.begin("b", 2);
            messages.write();
        }
        try (NumberedMessages messages = open(9))
        {
            assertThat(messages.begin("a", 101)).isZero();
            assertThat(messages.begin("b", 101)).isPositive();
        }
    }

    @Test
    void shouldExpectMessagesAgainAfterOtherTransactionsHaveEnded() throws Exception
    {
        try (NumberedMessages messages = open(0))
        {
            messages.begin("a", 1);
            messages.reopen(1);
            messages.begin("b", 11);
            messages.committed();
        }
        try (NumberedMessages messages = open(11))
        {
            assertThat(messages.begin("a", 101)).isEqualTo(1);
            assertThat(messages.begin("b", 101)).isZero();
        }
    }

    @Test
    void shouldIgnoreARecordThatWasCutOff() throws Exception
    {
        try (NumberedMessages messages = open(0))
        {
            messages.begin("a", 1);
            messages.begin("b", 2);
            messages.write();
        }
        final byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
        try (NumberedMessages messages = open(9))
        {
            assertThat(messages.begin("b", 101)).isZero();
            assertThat(messages.begin("a", 102)).isPositive();
            messages.write();
        }
        try (NumberedMessages messages = open(200))
        {
            assertThat(messages.begin("b", 301)).isPositive();
        }
    }

    @Test
    void shouldKeepTheFileSmall() throws Exception
    {
        try (NumberedMessages messages = open(0))
        {
            for (int i = 1; i <= 100_000; i++)
            {
                messages.begin("ID:0123456789-0123456789-" + i, i);
                if (i % 1000 == 0)
                {
                    messages.write();
                    messages.committed();
                }
            }
        }
        assertThat(Files.size(file)).isLessThan(2 << 20);
    }

    @Test
    void shouldRefuseTheFileOfAnotherSource() throws Exception
    {
        try (NumberedMessages messages = open(0))
        {
            assertThat(messages.begin(null, 1)).isZero();
            assertThatThrownBy(() -> open(0)).isInstanceOf(IOException.class).hasMessageContaining("another source");
        }
    }
}
