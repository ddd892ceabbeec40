package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.millrace.house.MessageSources.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The page of all codes except those of the text of rules, which have their own page, matches the sources. With
 * {@code -Dmillrace.pages=write} it is written again.
 */
@Timeout(60)
class ErrorCodesPageTest
{
    private static final Path PAGE = SourceTree.root().resolve("docs/error-codes.md");
    /** Compared with the sources by {@code EveryMessageTest} of the planner. */
    private static final Path PAGE_OF_RULES = SourceTree.root().resolve("docs/cql-errors.md");
    private static final Map<String, String> FAMILIES = new LinkedHashMap<>();

    static
    {
        FAMILIES.put("CLN", "The clients of the data port");
        FAMILIES.put("CLU", "The cluster");
        FAMILIES.put("CMD", "Commands and scripts");
        FAMILIES.put("CQL", "Processors and their state");
        FAMILIES.put("EPN", "Assembly files, configuration of applications and networks");
        FAMILIES.put("FIL", "The adapter for files");
        FAMILIES.put("GEN", "The load generator");
        FAMILIES.put("HTP", "The adapter for HTTP");
        FAMILIES.put("JDB", "The adapter for databases");
        FAMILIES.put("JMS", "The adapter for messages of JMS");
        FAMILIES.put("JNL", "Journals and snapshots");
        FAMILIES.put("KAF", "The adapter for Kafka");
        FAMILIES.put("LDG", "The data port");
        FAMILIES.put("MQT", "The adapter for messages of MQTT");
        FAMILIES.put("SRV", "Server instances and deployment");
    }

    /** The messages of all families by code, without those of the text of rules. */
    private static Map<String, List<Said>> messages()
    {
        final Set<String> ofRules = Pattern.compile("(?m)^### (CQL-\\d{4})$").matcher(SourceTree.read(PAGE_OF_RULES))
            .results().map(match -> match.group(1)).collect(Collectors.toSet());
        final Map<String, List<Said>> byCode = new TreeMap<>();
        final Stream<Path> modules = SourceTree.modules().stream().flatMap(module -> SourceTree.files(
            SourceTree.root().resolve(module + "/src/main"), ErrorCodesPageTest::isSource).stream());
        final Stream<Path> scripts = Stream.concat(
            SourceTree.files(SourceTree.root().resolve("domains"), ErrorCodesPageTest::isSource).stream(),
            Stream.of(SourceTree.root().resolve("millrace")));
        Stream.concat(modules, scripts).flatMap(file -> MessageSources.of(file).stream())
            .filter(said -> !ofRules.contains(said.code()))
            .forEach(said -> byCode.computeIfAbsent(said.code(), code -> new ArrayList<>()).add(said));
        return byCode;
    }

    private static boolean isSource(final Path file)
    {
        return file.toString().endsWith(".java") || file.toString().endsWith(".sh") ||
            file.getFileName().toString().equals("millrace");
    }

    private static String markdown(final Map<String, List<Said>> messages)
    {
        final StringBuilder page = new StringBuilder("""
            # What messages mean

            Every message has a stable code, and a code has one meaning in the whole product. `...` represents names
            and values. [Another page](cql-errors.md) lists the other codes of CQL, those of the text of rules. This
            page is generated from the sources; CONTRIBUTING.md names the command.
            """);
        String family = "";
        for (final Map.Entry<String, List<Said>> entry : messages.entrySet())
        {
            if (!entry.getKey().startsWith(family) || family.isEmpty())
            {
                family = entry.getKey().substring(0, 3);
                page.append("\n## ").append(family).append(": ").append(FAMILIES.get(family)).append('\n');
            }
            page.append("\n### ").append(entry.getKey()).append('\n');
            final Map<String, Set<String>> hints = new LinkedHashMap<>();
            entry.getValue().stream().sorted(java.util.Comparator.comparing(Said::fact)).forEach(said ->
                hints.computeIfAbsent(said.fact(), fact -> new TreeSet<>()).add(said.hint()));
            hints.remove("");
            hints.remove("...");
            hints.forEach((fact, next) ->
            {
                page.append('\n').append(shown(fact)).append('\n');
                next.stream().filter(hint -> !hint.isEmpty() && !hint.equals("..."))
                    .forEach(hint -> page.append("\nHint: ").append(shown(hint)).append('\n'));
            });
        }
        return page.toString();
    }

    private static String shown(final String text)
    {
        return text.replaceAll("\\s+", " ").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_");
    }

    @Test
    void shouldListEveryCodeAsTheSourcesSayIt() throws IOException
    {
        final Map<String, List<Said>> messages = messages();
        final String page = markdown(messages);
        if ("write".equals(System.getProperty("millrace.pages")))
        {
            Files.writeString(PAGE, page);
        }
        assertThat(messages.keySet()).hasSizeGreaterThan(350).contains("CMD-0101", "CMD-0004", "SRV-0111", "CLU-0102",
            "GEN-0102", "LDG-0226", "LDG-0244", "EPN-0521", "EPN-1204", "JDB-0104", "FIL-0101", "CQL-8107");
        assertThat(SourceTree.read(PAGE)).as("run the command of CONTRIBUTING.md that writes the pages again")
            .isEqualTo(page);
    }

    @Test
    void shouldNameEveryFamilyOfCodes()
    {
        assertThat(messages().keySet()).extracting(code -> code.substring(0, 3)).containsOnly(
            FAMILIES.keySet().toArray(String[]::new));
    }

    @Test
    void shouldKnowWhatEachCodeMeans()
    {
        final List<String> without = new ArrayList<>();
        messages().forEach((code, said) ->
        {
            if (said.stream().allMatch(one -> one.fact().isEmpty() || one.fact().equals("...")))
            {
                without.add(code);
            }
        });
        assertThat(without).as("codes whose text the page cannot show: write it next to the code").isEmpty();
    }

    @Test
    void shouldReadMessagesInAllTheirForms()
    {
        assertThat(MessageSources.ofJava("""
            /** The table is away: make it. */
            TABLE("XYZ-0001"),
            /** Half a frame. */
            HALF(102);
            code = "XYZ-0" + number;
            /** A ring: break it. */
            static final String RING = "XYZ-0003";
            /**
             * A long
             * text: read it.
             */
            static final String LONG = "XYZ-0010";
            private static final String TAKEN = "XYZ-0004";
            // "XYZ-0009 no message"
            // XYZ-0008: what others say: ask them
            throw new Failure(3, "XYZ-0005", at(name), "too many rows, rows=" + rows(1, "x") + " max=7", "read less");
            throw new Failure(TAKEN, place, "the name is taken, name=" + name, "take another");
            LOG.warn("XYZ-0006 no room left: file={}; remove files", file);
            throw new Failure("XYZ-0007 a, b=" + (b ? "c" : "d") + "; " + hint(), cause);
            """)).extracting(Said::code, Said::fact, Said::hint).containsExactly(
                tuple("XYZ-0001", "The table is away", "make it"),
                tuple("XYZ-0102", "Half a frame", ""),
                tuple("XYZ-0003", "A ring", "break it"),
                tuple("XYZ-0010", "A long text", "read it"),
                tuple("XYZ-0004", "the name is taken, name=...", "take another"),
                tuple("XYZ-0005", "too many rows, rows=... max=7", "read less"),
                tuple("XYZ-0006", "no room left: file=...", "remove files"),
                tuple("XYZ-0007", "a, b=...", "..."),
                tuple("XYZ-0008", "what others say", "ask them"));
        assertThat(MessageSources.ofScript("""
            # XYZ-0001: no message
            echo "XYZ-0002: no such file, file=$1; make it" >&2
            refuse XYZ-0003 "no number, n=${n}" "give one"
            """)).extracting(Said::code, Said::fact, Said::hint).containsExactly(
                tuple("XYZ-0002", "no such file, file=...", "make it"),
                tuple("XYZ-0003", "no number, n=...", "give one"));
    }
}
