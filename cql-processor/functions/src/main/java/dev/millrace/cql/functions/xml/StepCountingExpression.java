package dev.millrace.cql.functions.xml;

import net.sf.saxon.expr.Expression;
import net.sf.saxon.expr.Literal;
import net.sf.saxon.expr.OperandRole;
import net.sf.saxon.expr.RangeExpression;
import net.sf.saxon.expr.SlashExpression;
import net.sf.saxon.expr.UnaryExpression;
import net.sf.saxon.expr.UserFunctionCall;
import net.sf.saxon.expr.elab.Elaborator;
import net.sf.saxon.expr.elab.PullElaborator;
import net.sf.saxon.expr.elab.PullEvaluator;
import net.sf.saxon.expr.flwor.Clause;
import net.sf.saxon.expr.flwor.FLWORExpression;
import net.sf.saxon.expr.instruct.GlobalVariable;
import net.sf.saxon.expr.parser.CodeInjector;
import net.sf.saxon.expr.parser.ExpressionTool;
import net.sf.saxon.expr.parser.RebindingMap;
import net.sf.saxon.om.Item;
import net.sf.saxon.om.SequenceIterator;
import net.sf.saxon.query.XQueryExpression;
import net.sf.saxon.query.XQueryFunction;
import net.sf.saxon.trace.TraceableComponent;

/** An expression whose items count as steps: the sources of loops, and calls of functions. */
final class StepCountingExpression extends UnaryExpression
{
    /** Wraps the sources of loops. */
    static final CodeInjector INJECTOR = new CodeInjector()
    {
        @Override
        public Expression inject(final Expression expression)
        {
            return isSource(expression) ? new StepCountingExpression(expression) : expression;
        }

        @Override
        public Clause injectClause(final FLWORExpression loops, final Clause clause)
        {
            // The result is inserted after the clause: inserting the clause itself would loop once more.
            return null;
        }

        @Override
        public void process(final TraceableComponent component)
        {
            component.setBody(ExpressionTool.injectCode(component.getBody(), this));
        }
    };

    /** Adds counters to all parts of a compiled query. */
    static void inject(final XQueryExpression query)
    {
        INJECTOR.process(query);
        for (final XQueryFunction function : query.getMainModule().getGlobalFunctionLibrary().getFunctionDefinitions())
        {
            INJECTOR.process(function.getUserFunction());
        }
        for (final GlobalVariable variable : query.getPackageData().getGlobalVariableList())
        {
            if (variable.getBody() != null)
            {
                INJECTOR.process(variable);
            }
        }
    }

    private StepCountingExpression(final Expression base)
    {
        super(base);
        setLocation(base.getLocation());
        setRetainedStaticContext(base.getLocalRetainedStaticContext());
    }

    private static boolean isSource(final Expression expression)
    {
        return expression instanceof RangeExpression || expression instanceof SlashExpression ||
            expression instanceof UserFunctionCall ||
            expression instanceof Literal literal && literal.getGroundedValue().getLength() > 1;
    }

    @Override
    protected OperandRole getOperandRole()
    {
        return OperandRole.SAME_FOCUS_ACTION;
    }

    @Override
    public Expression copy(final RebindingMap rebindings)
    {
        return new StepCountingExpression(getBaseExpression().copy(rebindings));
    }

    @Override
    public int getImplementationMethod()
    {
        return ITERATE_METHOD;
    }

    @Override
    public Elaborator getElaborator()
    {
        return new Counting();
    }

    /** Evaluates and counts. */
    private static final class Counting extends PullElaborator
    {
        @Override
        public PullEvaluator elaborateForPull()
        {
            final PullEvaluator base = ((StepCountingExpression) getExpression()).getBaseExpression().makeElaborator()
                .elaborateForPull();
            return context ->
            {
                final EvaluationBudget budget = EvaluationBudget.current();
                if (budget == null)
                {
                    return base.iterate(context);
                }
                budget.step();
                final SequenceIterator items = base.iterate(context);
                return new SequenceIterator()
                {
                    @Override
                    public Item next()
                    {
                        budget.step();
                        return items.next();
                    }

                    @Override
                    public void close()
                    {
                        items.close();
                    }
                };
            };
        }
    }
}
