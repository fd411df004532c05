package dev.chatflow.broker.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A test that does not depend on the kind of broker: it runs on the embedded one, passed as a
 * {@link TestBroker}, fresh for each test class. Use {@link BrokerTest} for tests that depend on
 * it.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(EmbeddedTest.Parameter.class)
public @interface EmbeddedTest {

  /** Starts the broker for the first test of a class; JUnit closes it after the last. */
  final class Parameter implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == TestBroker.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getParent()
          .orElseThrow()
          .getStore(ExtensionContext.Namespace.create(EmbeddedTest.class))
          .getOrComputeIfAbsent(
              EmbeddedTestBroker.class, _ -> EmbeddedTestBroker.start(), EmbeddedTestBroker.class);
    }
  }
}
