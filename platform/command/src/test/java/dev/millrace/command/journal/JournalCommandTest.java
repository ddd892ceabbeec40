package dev.millrace.command.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.command.Main;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalSettings;
import dev.millrace.journal.Journals;
import dev.millrace.journal.SnapshotStore;
import dev.millrace.network.durable.AnswerForm;
import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.durable.RecordKind;
import dev.millrace.network.partition.RowEncoder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands for journals with the records that a durable processor writes. */
@Tag("slow")
@Timeout(180)
class JournalCommandTest
{
    private static final String UNIT = "shop/orders/worker-0-of-1";
    private static final long SECOND_NS = 1_000_000_000;

    @TempDir
    private Path directory;
    private Path domain;
    private final BatchSchema schema = new BatchSchema(EventType.tuple("Order",
        new EventProperty("item", CqlType.CHAR), new EventProperty("quantity", CqlType.INT),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("due", CqlType.TIMESTAMP),
        new EventProperty("proof", CqlType.BYTE)));
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void createDomain() throws IOException
    {
        domain = directory.resolve("domain");
        Files.createDirectories(domain.resolve("config"));
        Files.writeString(domain.resolve("startwlevs.sh"), "#!/bin/sh\n");
        Files.writeString(domain.resolve("config/config.xml"), "<config/>\n");
    }

    private int run(final String verb, final String... arguments)
    {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        final List<String> line = new ArrayList<>(List.of("journal", verb, "--domain", domain.toString()));
        line.addAll(List.of(arguments));
        return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .execute(line.toArray(String[]::new));
    }

    private Path state(final String unit)
    {
        return domain.resolve("var/state").resolve(unit);
    }

    private Journal open(final String unit)
    {
        return Journals.open(JournalSettings.of(state(unit), unit).withSpace(1 << 20, 1L << 30, 0),
            System::currentTimeMillis);
    }

    private static long append(final Journal journal, final ByteBuffer record)
    {
        return journal.append(record.array(), 0, record.position());
    }

    private static ByteBuffer record(final byte kind, final int number)
    {
        return ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN).put(kind).putInt(number);
    }

    private static ByteBuffer text(final byte kind, final int number, final String text)
    {
        return record(kind, number).put(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Two rows of a stream; the second one is null where it can be. */
    private EventBatch orders()
    {
        final EventBatch batch = new EventBatch(schema);
        batch.texts(0).set(0, "tea, \"green\"");
        batch.ints(1)[0] = 3;
        batch.doubles(2)[0] = 2.5;
        batch.longs(3)[0] = SECOND_NS;
        batch.references(4)[0] = new byte[] {1, (byte)0xAB};
        batch.texts(0).set(1, "milk");
        for (int column = 1; column < 5; column++)
        {
            batch.setNull(column, 1);
        }
        batch.useTimestampPerRow()[0] = SECOND_NS;
        batch.useTimestampPerRow()[1] = 2 * SECOND_NS;
        batch.useKinds()[1] = EventBatch.DELETE;
        batch.size(2);
        return batch;
    }

    /** Appends a description, a time and two rows; returns the position of the rows. */
    private long write(final Journal journal)
    {
        journal.onFileStart(() -> append(journal,
            text(RecordKind.GROUP, 0, GroupDescription.of("Orders by item", schema, column -> true).text())));
        append(journal, text(RecordKind.PRODUCER, 1, "feed"));
        append(journal, record(RecordKind.TIME, 0).putLong(SECOND_NS / 2));
        append(journal, record(RecordKind.CLEAR, 0));
        return append(journal,
            RowEncoder.forJournal(schema, column -> true).encode(orders(), record(RecordKind.ROWS, 0)));
    }

    private void write()
    {
        try (Journal journal = open(UNIT))
        {
            new SnapshotStore(state(UNIT)).write(write(journal), new byte[10]);
        }
    }

    @Test
    void shouldListJournalsWithSizesSnapshotsAndTheirUsers()
    {
        assertThat(run("list")).isZero();
        assertThat(out.toString()).isEqualTo("no journals" + System.lineSeparator());
        try (Journal used = open("shop/orders/worker-1-of-2"))
        {
            write(used);
            write();
            assertThat(run("list")).as(err.toString()).isZero();
            assertThat(out.toString()).contains("JOURNAL", "NEWEST SNAPSHOT", UNIT, " no ", " yes ");
            assertThat(run("list", "--format", "json")).isZero();
            final JsonArray all = JsonParser.parseString(out.toString()).getAsJsonArray();
            assertThat(all).hasSize(2);
            final JsonObject first = all.get(0).getAsJsonObject();
            assertThat(first.get("unit").getAsString()).isEqualTo("worker-0-of-1");
            assertThat(first.get("files").getAsInt()).isEqualTo(1);
            assertThat(first.get("bytes").getAsLong()).isPositive();
            assertThat(first.getAsJsonObject("snapshot").get("position").getAsLong()).isPositive();
            assertThat(first.get("usedBy").isJsonNull()).isTrue();
            final JsonObject second = all.get(1).getAsJsonObject();
            assertThat(second.get("usedBy").getAsString()).startsWith("shop/orders/worker-1-of-2 process=");
            assertThat(second.get("snapshot").isJsonNull()).isTrue();
        }
    }

    @Test
    void shouldShowWhereTheRulesWereChanged()
    {
        try (Journal journal = open(UNIT))
        {
            final long position = append(journal, record(RecordKind.RULES, 2));
            assertThat(run("show", UNIT)).as(err.toString()).isZero();
            assertThat(out.toString().lines()).containsExactly(UNIT, "  " + position + " rules version=2");
            assertThat(run("show", UNIT, "--format", "json")).isZero();
            final JsonObject shown = JsonParser.parseString(out.toString()).getAsJsonObject();
            assertThat(shown.get("kind").getAsString()).isEqualTo("rules");
            assertThat(shown.get("version").getAsInt()).isEqualTo(2);
        }
    }

    @Test
    void shouldShowRecordsWithTheirRowsWhileTheJournalIsInUse()
    {
        try (Journal journal = open(UNIT))
        {
            final long position = write(journal);
            assertThat(run("show", "shop")).as(err.toString()).isZero();
            assertThat(out.toString().replaceAll("(?m)^  \\d+ ", "  N ").lines()).containsExactly(
                UNIT,
                "  N group 0 \"Orders by item\" columns=(item char, quantity int, price double, due timestamp, " +
                    "proof byte)",
                "  N producer 1 \"feed\"",
                "  N time 0 \"Orders by item\" time=1970-01-01T00:00:00.500Z",
                "  N clear 0 \"Orders by item\"",
                "  N rows 0 \"Orders by item\" rows=2",
                "    1970-01-01T00:00:01Z + item=tea, \"green\" quantity=3 price=2.5 due=1970-01-01T00:00:01Z " +
                    "proof=01ab",
                "    1970-01-01T00:00:02Z - item=milk quantity=null price=null due=null proof=null");

            assertThat(run("show", "shop/orders", "--from", Long.toString(position))).as(err.toString()).isZero();
            assertThat(out.toString().lines()).hasSize(4);
            assertThat(run("show", UNIT, "--limit", "2")).isZero();
            assertThat(out.toString().lines()).hasSize(3);

            assertThat(run("show", UNIT, "--from", Long.toString(position), "--format", "json")).isZero();
            final JsonObject shown = JsonParser.parseString(out.toString()).getAsJsonObject();
            assertThat(shown.get("position").getAsLong()).isEqualTo(position);
            assertThat(shown.get("kind").getAsString()).isEqualTo("rows");
            assertThat(shown.getAsJsonArray("rows").get(0).getAsJsonObject().getAsJsonObject("row")
                .get("quantity").getAsInt()).isEqualTo(3);
        }
    }

    @Test
    void shouldShowTheNumberOfAnOutput()
    {
        try (Journal journal = open(UNIT))
        {
            write(journal);
            append(journal, record(RecordKind.OUTPUT, 0).putLong(70).put("unit/q".getBytes(StandardCharsets.UTF_8)));
        }
        assertThat(run("show", UNIT)).as(err.toString()).isZero();
        assertThat(out.toString()).contains(" output 70 \"unit/q\"");
    }

    @Test
    void shouldShowWhatRowsHaveFound()
    {
        try (Journal journal = open(UNIT))
        {
            write(journal);
            append(journal, RowEncoder.forJournal(schema, column -> true).encode(orders(),
                record(RecordKind.ANSWER, 0).put((byte)(AnswerForm.FIRST | AnswerForm.LAST | AnswerForm.ROWS))));
            append(journal, record(RecordKind.ANSWER, 0).put((byte)(AnswerForm.FIRST | AnswerForm.LAST)));
            append(journal, record(RecordKind.ANSWER, 0).put((byte)(AnswerForm.FIRST | AnswerForm.LAST |
                AnswerForm.REJECTED)).putInt(4).put("slow".getBytes(StandardCharsets.UTF_8)).putInt(9)
                .put("no answer".getBytes(StandardCharsets.UTF_8)));
        }
        assertThat(run("show", UNIT)).as(err.toString()).isZero();
        assertThat(out.toString().lines().filter(line -> line.contains(" answer ")).toList())
            .satisfiesExactly(rows -> assertThat(rows).endsWith(" answer 0 \"Orders by item\" rows=2"),
                nothing -> assertThat(nothing).endsWith(" answer 0 \"Orders by item\""),
                rejected -> assertThat(rejected).endsWith("\"Orders by item\" rejected=slow: no answer"));
    }

    @Test
    void shouldReportADamagedRecordWithItsFileAndOffset() throws Exception
    {
        write();
        assertThat(run("verify", "shop")).as(err.toString()).isZero();
        assertThat(out.toString()).startsWith(UNIT + " intact records=5 ").contains("snapshots=1");
        final Path file;
        try (var files = Files.list(state(UNIT)))
        {
            file = files.filter(path -> path.toString().endsWith(".cq4")).findFirst().orElseThrow();
        }
        final long offset = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).indexOf("milk");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
        {
            channel.write(ByteBuffer.wrap(new byte[] {'M'}), offset);
        }
        assertThat(run("verify", UNIT)).isEqualTo(ExitCode.FAILED);
        assertThat(out.toString()).startsWith(UNIT + " DAMAGED records=4 ").contains("file=" + file + " offset=",
            "JNL-0004");
        assertThat(err.toString()).startsWith("CMD-0235: journals are damaged, damaged=1 of=1");
        assertThat(run("show", UNIT)).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).startsWith("JNL-0004");
        assertThat(out.toString()).contains("clear 0");
    }

    @Test
    void shouldExportRowsToOneCsvFilePerGroupOrToJsonLines() throws Exception
    {
        write();
        final Path rows = directory.resolve("rows.csv");
        assertThat(run("export", "shop", "--format", "csv", rows.toString())).as(err.toString()).isZero();
        final Path file = directory.resolve("rows-orders-Orders-by-item.csv");
        assertThat(out.toString()).isEqualTo(file + " rows=2" + System.lineSeparator());
        assertThat(Files.readAllLines(file).stream().map(line -> line.replaceFirst(",\\d+,", ",N,"))).containsExactly(
            "journal,position,time,kind,item,quantity,price,due,proof",
            UNIT + ",N,1970-01-01T00:00:01Z,+,\"tea, \"\"green\"\"\",3,2.5,1970-01-01T00:00:01Z,01ab",
            UNIT + ",N,1970-01-01T00:00:02Z,-,milk,,,,");
        assertThat(Files.exists(rows)).isFalse();

        final Path json = directory.resolve("rows.json");
        assertThat(run("export", "shop/orders", "--format", "json", json.toString())).isZero();
        assertThat(Files.readAllLines(json)).hasSize(2).last().satisfies(line ->
        {
            final JsonObject row = JsonParser.parseString(line).getAsJsonObject();
            assertThat(row.get("journal").getAsString()).isEqualTo(UNIT);
            assertThat(row.get("kind").getAsString()).isEqualTo("-");
            assertThat(row.getAsJsonObject("row").get("price").isJsonNull()).isTrue();
        });
        assertThat(run("export", "shop", "--format", "json", directory.resolve("none/rows").toString()))
            .isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).startsWith("CMD-0236");
    }

    @Test
    void shouldShowAndExportDatasetsWithTheTimesOfTheirRecording() throws Exception
    {
        final Path dataset = domain.resolve("var/events/monday");
        try (Journal journal = Journals.open(JournalSettings.of(dataset, "dataset monday")
            .withSpace(1 << 20, 1L << 30, 0), System::currentTimeMillis))
        {
            append(journal, text(RecordKind.GROUP, 0, GroupDescription.of("Order", schema, column -> true).text()));
            append(journal, RowEncoder.forJournal(schema, column -> true).encode(orders(),
                record(RecordKind.RECORDED_ROWS, 0).putLong(5 * SECOND_NS)));
        }
        assertThat(run("list")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("dataset:monday");
        assertThat(run("show", "dataset:monday")).as(err.toString()).isZero();
        assertThat(out.toString()).contains("dataset:monday", " recorded 0 \"Order\" time=1970-01-01T00:00:05Z rows=2",
            "1970-01-01T00:00:02Z - item=milk");
        assertThat(run("verify", "dataset:monday")).as(err.toString()).isZero();
        assertThat(run("export", "dataset:monday", "--format", "csv", directory.resolve("rows.csv").toString()))
            .as(err.toString()).isZero();
        assertThat(Files.readAllLines(directory.resolve("rows-Order.csv"))).hasSize(3).last().asString()
            .startsWith("dataset:monday,").contains(",1970-01-01T00:00:05Z,-,milk,");
    }

    @Test
    void shouldNameTheJournalsThatExistWhenThereIsNoSuchOne()
    {
        assertThat(run("show", "shop")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(err.toString()).startsWith("CMD-0230: the domain has no journals").contains("durable");
        write();
        assertThat(run("verify", "shops")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(err.toString()).startsWith("CMD-0231").contains("application=shops", "these have one: shop");
        assertThat(run("verify", "shop/order")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(err.toString()).startsWith("CMD-0232").contains("journal=shop/order", UNIT);
        assertThat(run("verify", "..")).isEqualTo(ExitCode.NOT_FOUND);
    }

    @Test
    void shouldRefuseAPositionThatSeveralJournalsCouldHave()
    {
        write();
        try (Journal second = open("shop/orders/worker-1-of-2"))
        {
            write(second);
        }
        assertThat(run("show", "shop", "--from", "5")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("CMD-0233").contains("journals=2");
        assertThat(run("show", UNIT, "--from", "5")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).startsWith("JNL-0005");
        assertThat(run("show", "shop", "--limit", "0")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void shouldReportADirectoryThatCannotBeRead() throws Exception
    {
        write();
        Files.setPosixFilePermissions(state(UNIT), PosixFilePermissions.fromString("---------"));
        try
        {
            assumeFalse(Files.isReadable(state(UNIT)), "the user may read everything");
            assertThat(run("verify", "shop")).isEqualTo(ExitCode.FAILED);
            assertThat(err.toString()).startsWith("JNL-0002");
        }
        finally
        {
            Files.setPosixFilePermissions(state(UNIT), PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** Each opening begins a file, here one minute after another. */
    private long[] writeFiles(final int count, final long firstMs)
    {
        final long[] positions = new long[count];
        for (int file = 0; file < count; file++)
        {
            final long timeMs = firstMs + file * 60_000L;
            try (Journal journal = Journals.open(JournalSettings.of(state(UNIT), UNIT).withSpace(1 << 20, 1L << 30, 0),
                () -> timeMs))
            {
                positions[file] = write(journal);
            }
        }
        return positions;
    }

    private List<String> files() throws IOException
    {
        try (var files = Files.list(state(UNIT)))
        {
            return files.map(path -> path.getFileName().toString()).filter(name -> name.endsWith(".cq4")).sorted()
                .toList();
        }
    }

    @Test
    void shouldDeleteTheFilesThatNoSnapshotNeeds() throws Exception
    {
        final long firstMs = System.currentTimeMillis() / 60_000 * 60_000 - 3_600_000;
        final long[] positions = writeFiles(5, firstMs);
        final List<String> all = files();
        assertThat(all).hasSize(5);
        final SnapshotStore snapshots = new SnapshotStore(state(UNIT));
        snapshots.write(positions[3], new byte[10]);
        assertThat(run("trim", "shop")).as(err.toString()).isZero();
        assertThat(out.toString()).startsWith(UNIT + " freed files=0 MiB=0.0 kept=5");
        snapshots.write(positions[4], new byte[10]);

        assertThat(run("trim", UNIT, "--dry-run")).isZero();
        assertThat(out.toString()).startsWith(UNIT + " would free files=3 ").contains(" kept=2");
        assertThat(files()).isEqualTo(all);
        // The third file began after two minutes, so the second one has no later records.
        assertThat(run("trim", UNIT, "--before", Instant.ofEpochMilli(firstMs + 179_000).toString()))
            .as(err.toString()).isZero();
        assertThat(out.toString()).startsWith(UNIT + " freed files=2 ").contains(" kept=3");
        assertThat(files()).isEqualTo(all.subList(2, 5));
        assertThat(run("trim", "shop", "--keep", "36500d")).isZero();
        assertThat(files()).isEqualTo(all.subList(2, 5));
        assertThat(run("trim", "shop")).isZero();
        assertThat(files()).isEqualTo(all.subList(3, 5));
        assertThat(run("verify", UNIT)).as(err.toString()).isZero();
        assertThat(out.toString()).contains(" intact records=10 ");
        try (Journal journal = open(UNIT))
        {
            assertThat(journal.lastPosition()).isEqualTo(positions[4]);
            write(journal);
        }
        assertThat(run("verify", UNIT)).as(err.toString()).isZero();
        assertThat(out.toString()).contains(" intact records=15 ");
    }

    @Test
    void shouldNotTrimAJournalThatIsInUseOrHasADamagedSnapshot() throws Exception
    {
        final long[] positions = writeFiles(3, System.currentTimeMillis() - 3_600_000);
        final SnapshotStore snapshots = new SnapshotStore(state(UNIT));
        snapshots.write(positions[1], new byte[10]);
        snapshots.write(positions[2], new byte[10]);
        try (Journal used = open(UNIT))
        {
            write(used);
            assertThat(run("trim", "shop")).isEqualTo(ExitCode.FAILED);
            assertThat(err.toString()).startsWith("JNL-0001").contains("by=" + UNIT);
            assertThat(run("trim", "shop", "--dry-run")).as(err.toString()).isZero();
            assertThat(out.toString()).contains("files=1 ");
        }
        try (var files = Files.list(state(UNIT)))
        {
            final Path newest = files.filter(path -> path.toString().endsWith(".state")).sorted().toList().get(1);
            Files.write(newest, new byte[] {1}, StandardOpenOption.APPEND);
        }
        assertThat(run("trim", "shop")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).startsWith("JNL-0010");
        assertThat(files()).hasSize(4);
        assertThat(run("trim", "shop", "--keep", "long")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("CMD-0238");
        assertThat(run("trim", "shop", "--keep", "1d", "--before", "1970-01-01T00:02:30Z")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("CMD-0237");
    }

    @Test
    void shouldReportARecordOfAnotherVersion()
    {
        try (Journal journal = open(UNIT))
        {
            append(journal, record((byte)'?', 0));
        }
        assertThat(run("show", UNIT)).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).startsWith("CMD-0234").contains("position=");
        assertThat(run("verify", UNIT)).isZero();
    }

    @Test
    void shouldRepairADamagedJournalAndLeaveAnIntactOneAsItIs() throws Exception
    {
        write();
        assertThat(run("repair", "shop")).as(err.toString()).isZero();
        assertThat(out.toString()).isEqualTo(UNIT + " intact" + System.lineSeparator());
        final Path file;
        try (Stream<Path> files = Files.list(state(UNIT)))
        {
            file = files.filter(each -> each.toString().endsWith(".cq4")).findFirst().orElseThrow();
        }
        final byte[] bytes = Files.readAllBytes(file);
        bytes[new String(bytes, StandardCharsets.ISO_8859_1).indexOf("milk")] ^= 1;
        Files.write(file, bytes);
        assertThat(run("verify", "shop")).isEqualTo(1);
        assertThat(err.toString()).contains("CMD-0235", "millrace journal repair");

        assertThat(run("repair", "shop")).as(err.toString()).isZero();

        assertThat(out.toString()).contains(UNIT + " repaired records=4", "movedFiles=2", "removed-",
            "a snapshot that is newer than the damage");
        assertThat(run("verify", "shop")).as(err.toString()).isZero();
        try (Journal used = open(UNIT))
        {
            write(used);
            assertThat(run("repair", "shop")).isEqualTo(1);
            assertThat(err.toString()).contains("JNL-0001");
        }
    }
}
