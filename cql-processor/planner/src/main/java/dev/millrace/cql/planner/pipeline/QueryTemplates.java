package dev.millrace.cql.planner.pipeline;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.planner.rule.ColumnOrigin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds statements over one input that differ only in the value that a column must equal, and combines them into one
 * operator. Not thread-safe.
 *
 * <pre>
 *   ... where symbol = 'A'   ┐                 ┌── 'A': output of the first
 *   ... where symbol = 'B'   ├──►  family ──►  ├── 'B': output of the second
 *   ... where symbol = 'A'   ┘                 └── 'A': output of the third
 * </pre>
 */
final class QueryTemplates
{
    /**
     * Combines operators into families.
     *
     * @param readers operators that read the same rows
     * @param input   lineage of the columns of these rows
     * @return combined operators, in the order of their first statements
     */
    List<Operator> of(final List<Operator> readers, final List<ColumnOrigin> input)
    {
        if (readers.size() < 2)
        {
            return readers;
        }
        final List<List<TemplateInstance>> ways = readers.stream()
            .map(reader -> TemplateInstance.of(reader).stream().filter(member -> canRepeat(member, input)).toList())
            .toList();
        final Map<TemplateInstance.Shape, Integer> sizes = new HashMap<>();
        ways.forEach(each -> new HashSet<>(each.stream().map(TemplateInstance::shape).toList())
            .forEach(shape -> sizes.merge(shape, 1, Integer::sum)));
        final Map<TemplateInstance.Shape, List<Integer>> families = new HashMap<>();
        final List<TemplateInstance> chosen = new ArrayList<>();
        for (int i = 0; i < readers.size(); i++)
        {
            TemplateInstance best = null;
            for (final TemplateInstance way : ways.get(i))
            {
                final int size = sizes.get(way.shape());
                best = size > 1 && (best == null || size > sizes.get(best.shape())) ? way : best;
            }
            chosen.add(best);
            if (best != null)
            {
                families.computeIfAbsent(best.shape(), shape -> new ArrayList<>()).add(i);
            }
        }
        final List<Operator> found = new ArrayList<>();
        final Set<TemplateInstance.Shape> done = new HashSet<>();
        for (int i = 0; i < readers.size(); i++)
        {
            final TemplateInstance member = chosen.get(i);
            final List<Integer> family = member == null ? List.of() : families.get(member.shape());
            if (family.size() < 2)
            {
                found.add(readers.get(i));
            }
            else if (done.add(member.shape()))
            {
                found.add(family(family.stream().map(chosen::get).toList(),
                    family.stream().map(readers::get).toList()));
            }
        }
        return found;
    }

    /** Strings that repeat the value are emitted as the column itself, which must be a column of the channel. */
    private static boolean canRepeat(final TemplateInstance member, final List<ColumnOrigin> input)
    {
        return member.value().type() != CqlType.CHAR || member.repeated().isEmpty() ||
            input.get(member.column()).type() != null;
    }

    private static Operator family(final List<TemplateInstance> members, final List<Operator> readers)
    {
        return new Operator.Family(members.get(0).shape().with(members.stream().map(TemplateInstance::value).toList(),
            members.stream().<Operator>map(TemplateInstance::output).toList()), readers);
    }
}
