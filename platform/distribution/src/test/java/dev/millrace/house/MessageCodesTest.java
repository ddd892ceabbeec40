package dev.millrace.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A code of a message has one meaning, so that users find it by its code. Reads the sources, programs and scripts: a
 * code, and its fact, which ends where the details begin.
 */
@Timeout(60)
class MessageCodesTest
{
    private static final Pattern COMMENT = Pattern.compile("(?m)/\\*(?s:.*?)\\*/|^\\s*//.*$");
    private static final Pattern IN_JAVA = Pattern.compile("\"([A-Z]{3}-\\d{4})(?:(:? )([^\"]*)\"|\"(\\s*[,;]))");
    private static final Pattern IN_SCRIPT = Pattern.compile("([A-Z]{3}-\\d{4})(?:: | \")([^\"]*)");
    private static final Pattern CONSTANT = Pattern.compile("(\\w+) = \"([A-Z]{3}-\\d{4})\";");
    private static final Pattern LITERAL = Pattern.compile("\"([^\"]*)\"");
    private static final Pattern DETAILS = Pattern.compile("[,:;={($].*");

    /**
     * Codes of one kind of problem, such as two elements with one name, for which several files have their own wording.
     */
    private static final Set<String> BY_KIND = Set.of("SRV-0104", "SRV-0105", "SRV-0208", "SRV-0211", "SRV-0404",
        "SRV-0406", "SRV-0414", "CLU-0214", "CLU-0301", "CLU-0409", "CMD-0307");

    /**
     * A location that shows a code to users.
     *
     * @param fact message without details; empty when the text comes from elsewhere
     */
    private record Given(String code, String module, String file, String fact)
    {
        @Override
        public String toString()
        {
            return file + " '" + fact + "'";
        }
    }

    private static List<Given> ofJava(final String module, final String file, final String source)
    {
        final String text = COMMENT.matcher(source).replaceAll("");
        final List<Given> given = new ArrayList<>();
        final Matcher matcher = IN_JAVA.matcher(text);
        while (matcher.find())
        {
            if (matcher.group(2) != null)
            {
                given.add(new Given(matcher.group(1), module, file, fact(matcher.group(3))));
            }
            else if (matcher.group(4).endsWith(","))
            {
                final Matcher next = LITERAL.matcher(text);
                final boolean isThere = next.find(matcher.end());
                if (isThere && next.group(1).matches("[A-Z]{3}-\\d{4}"))
                {
                    // A list of codes.
                    continue;
                }
                given.add(new Given(matcher.group(1), module, file, isThere ? fact(next.group(1)) : ""));
            }
        }
        final Matcher constant = CONSTANT.matcher(text);
        while (constant.find())
        {
            // Shown with a text, not used in a comparison.
            final Matcher use = Pattern.compile("new \\w+\\(([^;\"]*, )?" + constant.group(1) +
                ",[^;\"]*\"([^\"]*)\"").matcher(text);
            if (use.find() && use.group(2).indexOf(' ') > 0)
            {
                given.add(new Given(constant.group(2), module, file, fact(use.group(2))));
            }
        }
        return given;
    }

    private static List<Given> ofScript(final String module, final String file, final String source)
    {
        return IN_SCRIPT.matcher(source.replaceAll("(?m)^\\s*#.*$", "")).results()
            .map(match -> new Given(match.group(1), module, file, fact(match.group(2)))).toList();
    }

    private static String fact(final String text)
    {
        return DETAILS.matcher(text).replaceFirst("").strip();
    }

    private static boolean isScript(final Path file)
    {
        return file.toString().endsWith(".sh") || "millrace".equals(file.getFileName().toString());
    }

    private static Stream<Given> read(final String module, final Path file)
    {
        final String name = SourceTree.name(file);
        final String text = SourceTree.read(file);
        return (isScript(file) ? ofScript(module, name, text) : ofJava(module, name, text)).stream();
    }

    private static Map<String, List<Given>> byCode()
    {
        final Stream<Given> programs = SourceTree.modules().stream().flatMap(module ->
            SourceTree.files(SourceTree.root().resolve(module + "/src/main"),
                file -> isScript(file) || file.toString().endsWith(".java")).stream().map(file -> read(module, file)))
            .flatMap(given -> given);
        final Stream<Given> templates = SourceTree
            .files(SourceTree.root().resolve("domains"), MessageCodesTest::isScript)
            .stream().flatMap(file -> read("domains", file));
        final Stream<Given> entry = read("millrace", SourceTree.root().resolve("millrace"));
        return Stream.of(programs, templates, entry).flatMap(given -> given)
            .collect(Collectors.groupingBy(Given::code, TreeMap::new, Collectors.toList()));
    }

    @Test
    void shouldGiveEachCodeInOneModule()
    {
        final Map<String, List<Given>> codes = byCode();
        assertThat(codes.keySet()).as("codes that were found").hasSizeGreaterThan(200).contains("CMD-0101", "CMD-0001",
            "CMD-0014", "SRV-0111", "CLU-0102", "GEN-0102", "LDG-0103", "CQL-7001", "EPN-0521");
        final List<String> wrong = new ArrayList<>();
        codes.forEach((code, given) ->
        {
            if (given.stream().map(Given::module).distinct().count() > 1)
            {
                wrong.add(code + ": error: given by several modules, use a code of its own in each: " + given);
            }
        });
        assertThat(wrong).isEmpty();
    }

    @Test
    void shouldSayOneThingByACodeInAllFilesOfAModule()
    {
        final List<String> wrong = new ArrayList<>();
        byCode().forEach((code, given) ->
        {
            final Map<String, Set<String>> facts = given.stream().collect(Collectors.groupingBy(Given::file,
                TreeMap::new, Collectors.mapping(Given::fact, Collectors.toCollection(TreeSet::new))));
            if (!BY_KIND.contains(code) && facts.size() > 1 &&
                facts.values().stream().flatMap(Set::stream).distinct().count() > 1)
            {
                wrong.add(code + ": error: means several things, use another code for one of them: " + facts);
            }
        });
        assertThat(wrong).isEmpty();
    }

    @Test
    void shouldFindCodesInWhateverFormTheyAreWritten()
    {
        assertThat(ofJava("m", "A.java", """
            /** Like "XYZ-0001: not a message". */
            static final String ALONE = "XYZ-0002";
            throw new Failure(3, "XYZ-0003", place, "too many rows, rows=" + rows, "read less");
            LOG.warn("XYZ-0004 no room left: file={}", file);
            print("XYZ-0005: " + failure.getMessage());
            throw new Failure(ALONE, at(place), "not alone, n=" + n, "go");
            """)).extracting(Given::code, Given::fact).containsExactly(
                tuple("XYZ-0003", "too many rows"),
                tuple("XYZ-0004", "no room left"),
                tuple("XYZ-0005", ""),
                tuple("XYZ-0002", "not alone"));
        assertThat(ofScript("m", "a.sh", """
            # XYZ-0001: not a message
            echo "XYZ-0002: no such file, file=$1" >&2
            refuse XYZ-0003 "no number" "hint"
            """)).extracting(Given::code, Given::fact).containsExactly(
                tuple("XYZ-0002", "no such file"),
                tuple("XYZ-0003", "no number"));
    }
}
