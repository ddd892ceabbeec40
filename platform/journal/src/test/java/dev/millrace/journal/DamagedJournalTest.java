package dev.millrace.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes each byte of a record, and cuts the file at each length: no reader may see other records, or fewer. */
@Tag("slow")
@Timeout(120)
class DamagedJournalTest
{
    private static final List<String> RECORDS = List.of("the first record", "the second one", "the third and last");

    @TempDir
    private Path directory;
    private Path file;
    private byte[] intact;
    /** Offsets at which the frames of the records begin, without the mark of Chronicle Queue before them. */
    private final List<Integer> offsets = new ArrayList<>();

    private JournalSettings settings()
    {
        return JournalSettings.of(directory.resolve("journal"), "orders").withSpace(1 << 20, 1L << 30, 0);
    }

    private Journal open()
    {
        return Journals.open(settings(), () -> 0);
    }

    @BeforeEach
    void write() throws IOException
    {
        try (Journal journal = open())
        {
            for (final String record : RECORDS)
            {
                final byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
                journal.append(bytes, 0, bytes.length);
            }
        }
        file = JournalFile.of(settings().directory()).get(0).path();
        final byte[] head = new byte[1 << 17];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
        {
            channel.read(ByteBuffer.wrap(head), 0);
        }
        final String text = new String(head, StandardCharsets.ISO_8859_1);
        RECORDS.forEach(record -> offsets.add(text.indexOf(record) - RecordFrame.HEAD_BYTES));
        intact = Arrays.copyOf(head, offsets.get(2) + RecordFrame.HEAD_BYTES + RECORDS.get(2).length());
    }

    private void restore() throws IOException
    {
        for (final JournalFile each : JournalFile.of(settings().directory()))
        {
            if (!each.path().equals(file))
            {
                Files.delete(each.path());
            }
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.wrap(intact), 0);
        }
    }

    /** What a recovery reads; an exception stands for its message. */
    private List<String> recovered()
    {
        final List<String> all = new ArrayList<>();
        try (Journal journal = open(); JournalReader reader = journal.openReader())
        {
            while (reader.next())
            {
                all.add(new String(reader.bytes(), 0, reader.length(), StandardCharsets.UTF_8));
            }
        }
        catch (final JournalException e)
        {
            assertThat(e.code()).isIn(JournalErrorCode.DAMAGED, JournalErrorCode.MISSING_FILE);
            all.add("refused");
        }
        return all;
    }

    /** What a process leaves that is killed between the content and the mark. */
    private void unmark(final int offset) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.wrap(new byte[] {0, 0, 0, (byte)0x80}), offset - 4L);
        }
    }

    private void flip(final int offset, final int bits) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.wrap(new byte[] {(byte)(intact[offset] ^ bits)}), offset);
        }
    }

    private void shouldNotice(final int record) throws IOException
    {
        final int begin = offsets.get(record) - 4;
        final int end = offsets.get(record) + RecordFrame.HEAD_BYTES + RECORDS.get(record).length();
        for (int offset = begin; offset < end; offset++)
        {
            final boolean isMark = offset < begin + 4;
            for (int bits = 1; bits < 256; bits = isMark ? bits * 2 : bits + 254)
            {
                flip(offset, bits);
                final List<String> read = recovered();
                // A last record without its mark is adopted as a whole.
                assertThat(read.equals(RECORDS) || read.contains("refused"))
                    .as("record %d offset %d bits %d: %s", record, offset - begin, bits, read).isTrue();
                restore();
            }
        }
        assertThat(recovered()).isEqualTo(RECORDS);
    }

    @Test
    void shouldNoticeEachChangedByteOfARecordInTheMiddle() throws Exception
    {
        shouldNotice(1);
    }

    @Test
    void shouldNoticeEachChangedByteOfTheLastRecord() throws Exception
    {
        shouldNotice(2);
    }

    @Test
    void shouldNoticeAFileThatIsCutWithinARecord() throws Exception
    {
        final int end = intact.length;
        for (int length = end - 1; length > offsets.get(2); length--)
        {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
            {
                channel.truncate(length);
            }
            assertThat(recovered()).as("length %d of %d", length, end).contains("refused");
            restore();
        }
    }

    @Test
    void shouldAdoptACompleteRecordWithoutItsMark() throws Exception
    {
        unmark(offsets.get(2));
        assertThat(recovered()).isEqualTo(RECORDS);
        assertThat(Arrays.copyOf(Files.readAllBytes(file), intact.length)).isEqualTo(intact);
    }

    /** Otherwise a later start, which may begin with the next file, would not know what its records mean. */
    @Test
    void shouldRunTheActionOfAFileStartAfterAdoptingARecord() throws Exception
    {
        unmark(offsets.get(2));
        for (int start = 0; start < 2; start++)
        {
            try (Journal journal = open())
            {
                journal.onFileStart(() -> journal.append(new byte[] {'d'}, 0, 1));
                journal.append(new byte[] {'x'}, 0, 1);
            }
        }
        assertThat(recovered()).containsExactly(RECORDS.get(0), RECORDS.get(1), RECORDS.get(2), "d", "x", "d", "x");
    }

    /** After a loss of power, a page may be missing in front of a record that is on the disk. */
    @Test
    void shouldAdoptARecordAfterAMissingPage() throws Exception
    {
        final int moved = 1 << 16;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.allocate(intact.length - offsets.get(2) + 4), offsets.get(2) - 4L);
            channel.write(ByteBuffer.wrap(intact, offsets.get(2), intact.length - offsets.get(2)),
                offsets.get(2) + moved);
        }
        assertThat(recovered()).isEqualTo(RECORDS);
        final byte[] adopted = Arrays.copyOf(intact, intact.length + moved);
        assertThat(Arrays.copyOf(Files.readAllBytes(file), adopted.length)).isEqualTo(adopted);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 3 << 20})
    void shouldAdoptARecordWithoutItsMarkThatEndsWithZeros(final int zeros) throws Exception
    {
        final byte[] record = Arrays.copyOf("the fourth".getBytes(StandardCharsets.UTF_8), 10 + zeros);
        try (Journal journal = open())
        {
            journal.append(record, 0, record.length);
        }
        final List<JournalFile> files = JournalFile.of(settings().directory());
        final Path last = files.get(files.size() - 1).path();
        final String text = new String(Files.readAllBytes(last), StandardCharsets.ISO_8859_1);
        try (FileChannel channel = FileChannel.open(last, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.wrap(new byte[] {0, 0, 0, (byte)0x80}),
                text.indexOf("the fourth") - RecordFrame.HEAD_BYTES - 4L);
        }
        assertThat(recovered()).hasSize(4).last().isEqualTo(new String(record, StandardCharsets.UTF_8));
    }

    @Test
    void shouldIgnoreAnIncompleteRecordAtTheEnd() throws Exception
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.wrap(new byte[] {0, 0, 0, (byte)0x80}), offsets.get(2) - 4);
            channel.write(ByteBuffer.allocate(5), (long)offsets.get(2) + RecordFrame.HEAD_BYTES + 2);
        }
        assertThat(recovered()).isEqualTo(RECORDS.subList(0, 2));
        try (Journal journal = open())
        {
            journal.append(new byte[] {'x'}, 0, 1);
        }
        assertThat(recovered()).isEqualTo(List.of(RECORDS.get(0), RECORDS.get(1), "x"));
    }

    @Test
    void shouldContinueAfterAFileThatWasBegunAndLeftEmpty() throws Exception
    {
        final int cycle = JournalFile.of(settings().directory()).get(0).cycle() + 5;
        try (SingleChronicleQueue queue =
            ChronicleJournal.queue(settings().directory(), () -> FileCycle.timeMs(cycle), false))
        {
            queue.closeStore(queue.storeForCycle(cycle, queue.epoch(), true, null));
        }
        assertThat(JournalFile.of(settings().directory())).hasSize(2);
        assertThat(recovered()).isEqualTo(RECORDS);
        try (Journal journal = open())
        {
            journal.append(new byte[] {'x'}, 0, 1);
        }
        assertThat(recovered()).isEqualTo(List.of(RECORDS.get(0), RECORDS.get(1), RECORDS.get(2), "x"));
    }

    /** A process that is killed while it begins a file. */
    @Test
    void shouldDeleteAFileWhoseHeaderIsIncomplete() throws Exception
    {
        final int cycle = JournalFile.of(settings().directory()).get(0).cycle() + 5;
        final Path begun = JournalFile.path(settings().directory(), cycle);
        for (final byte[] header : List.of(new byte[] {0, 0, 0, (byte)0x80}, new byte[0],
            new byte[] {0, 0, 0, (byte)0x80, -71, 6, 'h', 'e', 'a', 'd'}))
        {
            try (FileChannel channel = FileChannel.open(begun, StandardOpenOption.CREATE, StandardOpenOption.WRITE))
            {
                channel.write(ByteBuffer.wrap(header), 0);
                channel.write(ByteBuffer.allocate(1), 5 << 20);
            }
            assertThat(recovered()).isEqualTo(RECORDS);
            assertThat(begun).doesNotExist();
            assertThat(settings().directory()).isDirectoryNotContaining("glob:**.discard");
        }
    }

    private List<JournalCheck.Damage> damages()
    {
        return JournalCheck.of(settings().directory(), records ->
        {
        }).damages();
    }

    @Test
    void shouldReportFileAndOffsetOfADamagedRecord() throws Exception
    {
        assertThat(damages()).isEmpty();
        flip(offsets.get(1) + RecordFrame.HEAD_BYTES, 1);
        assertThat(damages()).singleElement().satisfies(damage ->
        {
            assertThat(damage.file()).isEqualTo(file);
            assertThat(damage.offset()).isEqualTo(offsets.get(1).longValue());
            assertThat(damage.problem().code()).isEqualTo(JournalErrorCode.DAMAGED);
        });
    }

    @Test
    void shouldReportRecordsThatFollowALostMark() throws Exception
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.wrap(new byte[4]), offsets.get(1) - 4);
        }
        assertThat(damages()).singleElement().satisfies(damage ->
        {
            assertThat(damage.file()).isEqualTo(file);
            assertThat(damage.offset()).isEqualTo(offsets.get(0) + RecordFrame.HEAD_BYTES + RECORDS.get(0).length());
            assertThat(damage.problem().code()).isEqualTo(JournalErrorCode.DAMAGED);
        });
    }

    /** The header of Chronicle Queue is before the records; it throws what it does not declare if it is damaged. */
    @Test
    void shouldRefuseAFileWithADamagedHeader() throws Exception
    {
        for (int offset = 0; offset < 1 << 10; offset += 32)
        {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
            {
                channel.write(ByteBuffer.wrap(new byte[] {-1, -1, -1, 127}), offset);
            }
            final List<JournalCheck.Damage> found = damages();
            assertThat(found).as("offset %d", offset).allMatch(damage -> damage.file().equals(file) &&
                damage.problem().code().equals(JournalErrorCode.DAMAGED));
            assertThat(JournalSummary.of(settings().directory()).files()).isEqualTo(1);
            if (offset == 0)
            {
                assertThat(found).hasSize(1);
                assertThat(recovered()).containsExactly("refused");
            }
            restore();
        }
        assertThat(recovered()).isEqualTo(RECORDS);
    }

    @Test
    void shouldFindAFileIntactThatWasBegunAndLeftEmpty() throws Exception
    {
        final int cycle = JournalFile.of(settings().directory()).get(0).cycle() + 5;
        try (SingleChronicleQueue queue =
            ChronicleJournal.queue(settings().directory(), () -> FileCycle.timeMs(cycle), false))
        {
            queue.closeStore(queue.storeForCycle(cycle, queue.epoch(), true, null));
        }
        assertThat(damages()).isEmpty();
    }

    @Test
    void shouldNoticeAMissingFile() throws Exception
    {
        for (int i = 0; i < 2; i++)
        {
            try (Journal journal = open())
            {
                journal.append(new byte[] {'x'}, 0, 1);
            }
        }
        final List<JournalFile> files = JournalFile.of(settings().directory());
        assertThat(files).hasSize(3);
        Files.delete(files.get(1).path());
        try (JournalReader reader = Journals.openReader(settings().directory()))
        {
            assertThatThrownBy(() ->
            {
                while (reader.next())
                {
                    assertThat(reader.length()).isPositive();
                }
            }).isInstanceOf(JournalException.class).hasMessageStartingWith(JournalErrorCode.MISSING_FILE);
        }
    }
}
