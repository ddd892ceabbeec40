package dev.millrace.cql.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.cql.language.problem.ErrorPage;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every message of the catalog, provoked by rules and shown as users see it: code, position, text, hint and carets. The
 * rules and the expected output are in {@code every-message.txt}; its header describes the format.
 */
@Timeout(60)
class EveryMessageTest
{
    private static final Path FILE = Path.of("src/test/resources/every-message.txt");
    private static final Path PAGE = Path.of("../../docs/cql-errors.md");
    private static final Pattern RULE = Pattern.compile("(view|query)((?: \\w+=\"[^\"]*\")*): (.*)");
    private static final Pattern ATTRIBUTE = Pattern.compile(" (\\w+)=\"([^\"]*)\"");
    private static final Pattern REPEAT = Pattern.compile("<<(\\d+) (.*?)>>");

    /** Provoked by {@link RuleSetTest}: no known rule leads to it, as intended. */
    private static final Set<Message> ELSEWHERE = EnumSet.of(Message.INTERNAL);

    /** Rules and the expected problems, as displayed. */
    record Block(List<String> rules, List<String> shown)
    {
        @Override
        public String toString()
        {
            final String rule = rules.get(rules.size() - 1);
            return shown.get(0).split(" ")[0] + " " + rule.substring(0, Math.min(80, rule.length()));
        }
    }

    static Stream<Block> blocks() throws IOException
    {
        final List<Block> blocks = new ArrayList<>();
        Block block = new Block(new ArrayList<>(), new ArrayList<>());
        for (final String line : Files.readAllLines(FILE, StandardCharsets.UTF_8))
        {
            if (line.startsWith(">"))
            {
                block.shown().add(line.substring(Math.min(2, line.length())));
            }
            else if (!line.isBlank() && !line.startsWith("#"))
            {
                if (!block.shown().isEmpty())
                {
                    blocks.add(block);
                    block = new Block(new ArrayList<>(), new ArrayList<>());
                }
                block.rules().add(line);
            }
        }
        blocks.add(block);
        return blocks.stream();
    }

    private static RuleText rule(final String line)
    {
        final Matcher parts = RULE.matcher(line);
        assertThat(parts.matches()).as(line).isTrue();
        final Map<String, String> attributes = new HashMap<>();
        final Matcher attribute = ATTRIBUTE.matcher(parts.group(2));
        while (attribute.find())
        {
            attributes.put(attribute.group(1), attribute.group(2));
        }
        final String text = REPEAT.matcher(parts.group(3)).replaceAll(repeat -> Matcher.quoteReplacement(
            IntStream.range(0, Integer.parseInt(repeat.group(1)))
                .mapToObj(i -> repeat.group(2).replace("#", Integer.toString(i))).collect(Collectors.joining())));
        final String schema = attributes.get("schema");
        final String params = attributes.get("params");
        return new RuleText(attributes.getOrDefault("id", parts.group(1).equals("view") ? "v" : "q"),
            parts.group(1).equals("view"), text.replace("\\n", "\n").replace("\\t", "\t"),
            schema == null ? List.of() : List.of(schema.split(" ")), attributes.get("order"),
            attributes.get("partition"), params == null ? null : List.of(params.split(",")));
    }

    private static List<CqlProblem> problems(final Block block)
    {
        long deadlineMs = RulePlanner.DEFAULT_DEADLINE_MS;
        final List<RuleText> rules = new ArrayList<>();
        for (final String line : block.rules())
        {
            if (line.startsWith("deadline "))
            {
                deadlineMs = Long.parseLong(line.substring(9));
            }
            else
            {
                rules.add(rule(line));
            }
        }
        try
        {
            new RulePlanner(deadlineMs).plan("proc", rules, PlanFixture.CATALOG);
            return RuleWarnings.of(rules);
        }
        catch (final CqlException refused)
        {
            return refused.problems();
        }
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void shouldShowCodePlaceTextHintAndCarets(final Block block)
    {
        final List<CqlProblem> problems = problems(block);
        assertThat(problems.stream().map(CqlProblem::toString).collect(Collectors.joining("\n")).lines()
            .map(line -> line.length() > 300 ? line.substring(0, 300) : line).toList()).isEqualTo(block.shown());
        for (final CqlProblem problem : problems)
        {
            assertThat(problem.severity()).isEqualTo(Set.of("CQL-5033", "CQL-5037", "CQL-1036").contains(problem.code())
                ? Message.Severity.WARNING : Message.Severity.ERROR);
            assertThat(problem.documentation()).isEqualTo("docs/cql-errors.md#" + problem.code().toLowerCase());
        }
    }

    @Test
    void shouldProvokeEveryEntry() throws IOException
    {
        final Set<String> left = new TreeSet<>();
        EnumSet.complementOf(EnumSet.copyOf(ELSEWHERE)).forEach(message -> left.add(message.code()));
        blocks().flatMap(block -> block.shown().stream()).filter(line -> line.startsWith("CQL-"))
            .forEach(line -> left.remove(line.split(" ")[0]));
        assertThat(left.stream().map(code -> code + " " + Message.byCode(code)))
            .as("entries that no rule of %s provokes: add one for each", FILE.getFileName()).isEmpty();
    }

    @Test
    void shouldHaveAPageThatIsUpToDate() throws IOException
    {
        assertThat(Files.readString(PAGE, StandardCharsets.UTF_8))
            .as("write ErrorPage.markdown() to docs/cql-errors.md").isEqualTo(ErrorPage.markdown());
    }
}
