package dev.chatflow.server.simulation.mutant;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Objects;

/**
 * Loads product and simulation again, with one method of the product changed. Other classes are
 * loaded once for all.
 */
public final class MutantLoader extends ClassLoader {

  private static final String OURS = "dev.chatflow.";

  private final Mutant mutant;

  public MutantLoader(Mutant mutant) {
    super(MutantLoader.class.getClassLoader());
    this.mutant = mutant;
  }

  /**
   * Creates an object of a class in the changed world.
   *
   * @param <T> a type that is shared between both worlds
   */
  @SuppressWarnings("unchecked") // the same class, loaded again
  public <T> T anew(Class<? extends T> type) {
    try {
      return (T) loadClass(type.getName()).getDeclaredConstructor().newInstance();
    } catch (ClassNotFoundException
        | NoSuchMethodException
        | InstantiationException
        | IllegalAccessException
        | InvocationTargetException e) {
      throw new IllegalStateException("the changed world does not begin", e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      byte[] code = name.equals(mutant.className()) ? changed(bytes(name)) : bytes(name);
      return defineClass(name, code, 0, code.length);
    }
  }

  private byte[] bytes(String name) {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = Objects.requireNonNull(getParent()).getResourceAsStream(file)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] changed(byte[] original) {
    ClassModel model = ClassFile.of().parse(original);
    List<MethodModel> named =
        model.methods().stream()
            .filter(method -> method.methodName().equalsString(mutant.method()))
            .toList();
    if (named.size() != 1) {
      throw new IllegalStateException(
          named.size() + " methods " + mutant.className() + "." + mutant.method());
    }
    Change.Method method = method(model, named.getFirst());
    MethodTransform body =
        (builder, element) -> {
          if (element instanceof CodeModel) {
            builder.withCode(code -> mutant.change().write(code, method));
          } else {
            builder.with(element);
          }
        };
    return ClassFile.of()
        .transformClass(
            model,
            ClassTransform.transformingMethods(
                each -> each.methodName().equalsString(mutant.method()), body));
  }

  private static Change.Method method(ClassModel owner, MethodModel method) {
    return new Change.Method(
        owner.thisClass().asSymbol(), method.methodTypeSymbol(), method.flags().flags());
  }
}
